// Packs the HTML pages of a folder into a collection, and names it in the folder's sitemap.
//
//   pack FOLDER ADDRESS SECTION
//
// FOLDER is served at ADDRESS (https://example.com/). FOLDER/SECTION.scp.zst and .scp.gz are written, and
// FOLDER/sitemap.xml is made or changed; everything else in it stays. Pages that ask not to be indexed are
// left out.
//
// `sheaf publish` does this and more: it finds out what changed, and writes deltas. This program shows the
// parts.
#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/base/time.h"
#include "sheaf/base/url.h"
#include "sheaf/format/collection_writer.h"
#include "sheaf/html/extract.h"
#include "sheaf/site/page_identity.h"
#include "sheaf/site/sitemap_merge.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

using namespace sheaf;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLargestFile = 64 << 20;
constexpr std::int64_t kDay = 24 * 60 * 60;

base::Result<std::string> read_file(const fs::path& path) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(path.string()));
  SHEAF_TRY_ASSIGN(std::string bytes, base::read_up_to(*source, kLargestFile));
  if (bytes.size() > kLargestFile)
    return base::fail(base::Errc::invalid_data, path.string() + " is too large");
  return bytes;
}

/// Sorted, so that the same pages give the same collection.
std::vector<fs::path> html_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".html") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

base::Instant time_of(const fs::path& file) {
  const auto time = std::chrono::file_clock::to_sys(fs::last_write_time(file));
  return {std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count(), 0};
}

base::Result<void> add_pages(const fs::path& folder, const base::Url& base,
                             format::CollectionWriter& writer) {
  html::Extractor extractor;  // keeps its memory from page to page
  for (const fs::path& file : html_files(folder)) {
    const auto url = base::Url::parse(file.lexically_relative(folder).generic_string(), &base);
    if (!url) return base::fail(base::Errc::invalid_argument, file.string() + " has no address");
    SHEAF_TRY_ASSIGN(const std::string bytes, read_file(file));
    html::ExtractOptions options;
    options.url = url->href();
    options.fallback_modified = time_of(file);  // where the page names no date
    const html::Extraction& extraction = extractor.extract(bytes, options);
    if (site::asks_not_to_be_indexed(extraction.page)) continue;
    // What a reader would refuse the writer refuses: the page is passed over, and the writer goes on.
    if (const auto added = writer.add(extraction.page); !added)
      std::cerr << file.string() << ": " << added.error().message << '\n';
  }
  return {};
}

/// What the sitemap says of the files that were written.
site::Advertised advertise(const format::WriteSummary& written, const base::Url& base) {
  const model::CollectionHead& head = written.head;
  site::Advertised advertised;
  advertised.version = head.version;
  advertised.sections.push_back({.name = head.section,
                                 .update_freq = site::UpdateFreq::daily,
                                 .pages = site::PageCount{written.pages, false}});
  for (const format::WrittenFile& file : written.files) {
    advertised.compression.emplace_back(to_string(file.codec));
    site::AdvertisedCollection collection;
    collection.section = head.section;
    collection.url = base::Url::parse(file.path.filename().string(), &base)->href();
    collection.generated = head.generated_at;
    collection.expires = base::Instant{head.generated_at.seconds + 2 * kDay, 0};
    collection.pages = written.pages;
    collection.size = file.bytes;
    collection.checksum = head.checksum;
    advertised.collections.push_back(std::move(collection));
  }
  return advertised;
}

/// Entries, comments and line ends of a sitemap that is there stay as they are.
base::Result<void> update_sitemap(const fs::path& file, const site::Advertised& advertised) {
  std::string bytes;
  if (fs::exists(file)) {
    SHEAF_TRY_ASSIGN(const std::string existing, read_file(file));
    SHEAF_TRY_ASSIGN(site::MergedSitemap merged, site::merge_advertised(existing, advertised));
    bytes = std::move(merged.bytes);
  } else {
    SHEAF_TRY_ASSIGN(bytes, site::write_sitemap(advertised));
  }
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(file));
  SHEAF_TRY(out.write(bytes));
  return out.commit();
}

base::Result<void> run(const fs::path& folder, const base::Url& base, const std::string& section) {
  model::CollectionHead head;
  const base::Instant now{base::now().seconds, 0};
  head.section = section;
  head.id = section + "-" + std::to_string(now.seconds);
  head.set_generated(now);
  std::vector<format::WriterTarget> targets;
  for (const format::Codec codec : {format::Codec::zstd, format::Codec::gzip})
    targets.push_back({folder / (section + std::string(extension_of(codec))), codec, {}});
  SHEAF_TRY_ASSIGN(auto writer, format::CollectionWriter::create(head, targets, {}));
  SHEAF_TRY(add_pages(folder, base, writer));
  SHEAF_TRY_ASSIGN(const format::WriteSummary written, writer.finish());  // until here no file has its name
  SHEAF_TRY(
      update_sitemap(folder / "sitemap.xml", advertise(written, base)));  // last, since readers begin there
  for (const format::WrittenFile& file : written.files)
    std::cout << file.path.string() << ": " << written.pages << " pages, " << file.bytes << " bytes\n";
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const auto base = argc == 4 ? base::Url::parse(argv[2]) : std::nullopt;
  if (!base) return std::cerr << "usage: pack FOLDER ADDRESS SECTION\n", 2;
  try {
    const auto done = run(argv[1], *base, argv[3]);
    if (!done) std::cerr << "pack: " << done.error().message << '\n';
    return done ? 0 : 2;
  } catch (const fs::filesystem_error& error) {
    return std::cerr << "pack: " << error.what() << '\n', 2;
  }
}
