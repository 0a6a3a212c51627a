#include "sheaf/publish/recover.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/regular_file.h"
#include "sheaf/format/collection_reader.h"
#include "sheaf/publish/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <tuple>
#include <vector>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

std::vector<CollectionName> own_files(const fs::path& folder, const std::string& section) {
  std::vector<CollectionName> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (const auto name = parse_collection_name(it->path().filename().string());
        name && name->section == section)
      files.push_back(*name);
  // In the order in which a run writes them.
  std::ranges::sort(files, {}, [](const CollectionName& file) {
    return std::tuple(file.generated, file.type == model::CollectionType::snapshot,
                      file.codec != format::Codec::zstd);
  });
  return files;
}

/// Applies collections one after the other to records in the catalog's stage.
class Recovery {
 public:
  Recovery(Catalog& catalog, const PublishConfig& config, std::string section)
      : catalog_(catalog), config_(config), section_(std::move(section)) {}

  base::Result<bool> run() {
    const std::vector<CollectionName> files = own_files(config_.out, section_);
    const auto snapshot = std::ranges::find_if(files.rbegin(), files.rend(), [](const CollectionName& file) {
      return file.type == model::CollectionType::snapshot;
    });
    if (snapshot == files.rend()) return false;
    for (const CollectionName& file : files) SHEAF_TRY(add_file(file, snapshot->generated));
    for (auto& [url, page] : pages_) {
      digest_.add(page.url, page.modified);
      SHEAF_TRY(catalog_.stage(section_, page));
    }
    state_.state = *format::StateDigest::parse(digest_.to_string());
    state_.pages = pages_.size();
    if (stated_ && !digest_.matches(*stated_))
      return base::fail(
          base::Errc::invalid_data,
          fmt::format("the collections of section {} in {} do not add up to the state they name; move "
                      "them away to start anew with a snapshot",
                      section_, config_.out.string()));
    SHEAF_TRY(catalog_.stage(section_, state_));
    return true;
  }

 private:
  /// Files older than the snapshot are only listed; of several codecs one is read.
  base::Result<void> add_file(const CollectionName& name, base::Instant snapshot) {
    const fs::path path = config_.out / to_string(name);
    SHEAF_TRY_ASSIGN(auto source, base::open_regular_file(path.string()));
    format::ReaderOptions options;
    options.limits = config_.limits;
    auto reader = format::CollectionReader::open(std::move(source), options, {});
    if (!reader) return failure(path, reader.error());
    PublishedFile file;
    file.name = name;
    std::error_code error;
    file.bytes = fs::file_size(path, error);
    file.since = reader->head().since_at;
    file.checksum = reader->head().checksum.value_or("");
    // A snapshot and the delta that leads to it have the same time: the snapshot has it all.
    const bool wanted = name.generated > snapshot ||
                        (name.generated == snapshot && name.type == model::CollectionType::snapshot);
    const bool read = wanted && last_read_ != std::pair(name.generated, name.type);
    SHEAF_TRY_ASSIGN(file.pages, read_pages(*reader, path, read));
    if (read) {
      last_read_ = std::pair(name.generated, name.type);
      for (const std::string& url : reader->head().removed) pages_.erase(url);
      stated_ = reader->head().state;
      state_.generated = std::max(state_.generated, name.generated);
      if (name.type == model::CollectionType::snapshot) state_.snapshot = name.generated;
    }
    state_.files.push_back(std::move(file));
    return {};
  }

  base::Result<std::uint64_t> read_pages(format::CollectionReader& reader, const fs::path& path, bool keep) {
    std::uint64_t count = 0;
    while (true) {
      const auto more = reader.next();
      if (!more) return failure(path, more.error());
      if (!*more) return count;
      ++count;
      if (!keep) continue;
      const model::Page& page = reader.page();
      pages_[std::string(page.url)] = {std::string(page.url), format::fingerprint_of(page),
                                       std::string(page.modified), page.modified_at, std::nullopt};
    }
  }

  static std::unexpected<base::Error> failure(const fs::path& path, const format::Finding& finding) {
    return base::fail(
        base::Errc::invalid_data,
        fmt::format("{} cannot be read to find out what was published: {}; move it away to start anew",
                    path.string(), finding.message));
  }

  Catalog& catalog_;
  const PublishConfig& config_;
  std::string section_;
  std::map<std::string, PageRecord> pages_;
  std::optional<std::pair<base::Instant, model::CollectionType>> last_read_;
  std::optional<std::string> stated_;
  format::StateDigest digest_;
  SectionState state_;
};

}  // namespace

base::Result<bool> recover_section(Catalog& catalog, const PublishConfig& config,
                                   const std::string& section) {
  return Recovery(catalog, config, section).run();
}

}  // namespace sheaf::publish
