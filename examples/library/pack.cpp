// Packs the HTML pages of a folder into a collection, and names it in the folder's sitemap.
//
//   pack FOLDER URL SECTION
//
// FOLDER is served at URL (https://example.com/). FOLDER/SECTION.scp.zst and .scp.gz are written, and
// FOLDER/sitemap.xml is made or changed; everything else in it stays. Pages that ask not to be indexed are
// skipped.
//
// `sheaf publish`, and sheaf::Publisher, do this and more: they find out what changed, and write deltas. This
// program shows the parts.
#include <sheaf/extract.h>
#include <sheaf/sitemap.h>
#include <sheaf/writer.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using sheaf::Result;

constexpr std::int64_t kDay = 24 * 60 * 60;

Result<std::string> read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) return sheaf::fail(sheaf::Errc::io, "cannot read " + path.string());
  return bytes;
}

/// The file has its old bytes or the new ones, whatever happens.
Result<void> write_file(const fs::path& path, const std::string& bytes) {
  const fs::path temporary = path.string() + ".tmp";
  std::ofstream out(temporary, std::ios::binary);
  out << bytes;
  out.close();
  if (!out) return sheaf::fail(sheaf::Errc::io, "cannot write " + path.string());
  fs::rename(temporary, path);
  return {};
}

/// Sorted, so that the same pages give the same collection.
std::vector<fs::path> html_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".html") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

sheaf::Instant time_of(const fs::path& file) {
  const auto time = std::chrono::file_clock::to_sys(fs::last_write_time(file));
  return {std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count(), 0};
}

Result<std::string> url_of(const std::string& path, const std::string& base) {
  auto url = sheaf::resolve_url(path, base);
  if (!url) return sheaf::fail(sheaf::Errc::invalid_argument, base + " is not an http URL");
  return std::move(*url);
}

Result<void> add_pages(const fs::path& folder, const std::string& base, sheaf::Writer& writer) {
  sheaf::PageExtractor extractor;  // keeps its memory from page to page
  for (const fs::path& file : html_files(folder)) {
    SHEAF_TRY_ASSIGN(const std::string url, url_of(file.lexically_relative(folder).generic_string(), base));
    SHEAF_TRY_ASSIGN(const std::string bytes, read_file(file));
    sheaf::ExtractionOptions options;
    options.url = url;
    options.fallback_modified = time_of(file);  // where the page names no date
    const sheaf::ExtractedPage& extracted = extractor.extract_html(bytes, options);
    if (extracted.noindex) continue;
    // The writer refuses what a reader would refuse; the page is skipped, and the writer goes on.
    if (const auto added = writer.add(extracted.page); !added)
      std::cerr << file.string() << ": " << added.error().message << '\n';
  }
  return {};
}

/// What the sitemap says of the files that were written.
Result<sheaf::Advertised> advertise(const sheaf::WriteSummary& written, const std::string& base) {
  const sheaf::CollectionHead& head = written.head;
  sheaf::Advertised advertised;
  advertised.version = head.version;
  advertised.sections.push_back({.name = head.section,
                                 .update_freq = sheaf::UpdateFreq::daily,
                                 .pages = sheaf::PageCount{written.pages, false}});
  for (const sheaf::WrittenFile& file : written.files) {
    advertised.compression.emplace_back(to_string(file.codec));
    sheaf::AdvertisedCollection collection;
    collection.section = head.section;
    SHEAF_TRY_ASSIGN(collection.url, url_of(file.path.filename().string(), base));
    collection.generated = head.generated_at;
    collection.expires = sheaf::Instant{head.generated_at.seconds + 2 * kDay, 0};
    collection.pages = written.pages;
    collection.size = file.bytes;
    collection.checksum = head.checksum;
    advertised.collections.push_back(std::move(collection));
  }
  return advertised;
}

/// Entries, comments and line ends of an existing sitemap stay as they are.
Result<void> update_sitemap(const fs::path& file, const sheaf::Advertised& advertised) {
  if (!fs::exists(file)) {
    SHEAF_TRY_ASSIGN(const std::string bytes, sheaf::new_sitemap(advertised));
    return write_file(file, bytes);
  }
  SHEAF_TRY_ASSIGN(const std::string existing, read_file(file));
  SHEAF_TRY_ASSIGN(const sheaf::MergedSitemap merged, sheaf::update_sitemap(existing, advertised));
  return write_file(file, merged.bytes);
}

Result<void> run(const fs::path& folder, const std::string& base, const std::string& section) {
  sheaf::CollectionHead head;
  const sheaf::Instant now{sheaf::now().seconds, 0};
  head.section = section;
  head.id = section + "-" + std::to_string(now.seconds);
  head.set_generated(now);
  std::vector<sheaf::WriterTarget> targets;
  for (const sheaf::Codec codec : {sheaf::Codec::zstd, sheaf::Codec::gzip})
    targets.push_back({folder / (section + std::string(extension_of(codec))), codec, {}});
  SHEAF_TRY_ASSIGN(auto writer, sheaf::Writer::create(head, targets));
  SHEAF_TRY(add_pages(folder, base, writer));
  SHEAF_TRY_ASSIGN(const sheaf::WriteSummary written, writer.finish());  // until here no file has its name
  SHEAF_TRY_ASSIGN(const sheaf::Advertised advertised, advertise(written, base));
  SHEAF_TRY(update_sitemap(folder / "sitemap.xml", advertised));  // last, since clients begin there
  for (const sheaf::WrittenFile& file : written.files)
    std::cout << file.path.string() << ": " << written.pages << " pages, " << file.bytes << " bytes\n";
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::cerr << "usage: pack FOLDER URL SECTION\n", 2;
  try {
    const auto done = run(argv[1], argv[2], argv[3]);
    if (!done) std::cerr << "pack: " << done.error().message << '\n';
    return done ? 0 : 2;
  } catch (const fs::filesystem_error& error) {
    return std::cerr << "pack: " << error.what() << '\n', 2;
  }
}
