#include "sheaf/publish/recover.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/publish/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>
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
  // Sorted in the order of writing; merged deltas come after the deltas that they are made of.
  std::ranges::sort(files, {}, [](const CollectionName& file) {
    return std::tuple(file.generated, file.type == model::CollectionType::snapshot, file.since.has_value(),
                      file.since, file.codec != format::Codec::zstd);
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
    for (auto& [url, known] : pages_) {
      SHEAF_TRY(catalog_.stage(section_, known.page));
      if (known.page.removed_at) continue;
      digest_.add(known.page.url, known.page.modified);
      ++state_.pages;
    }
    state_.state = digest_.sum();
    if (stated_ && !digest_.matches(*stated_))
      return base::fail(base::Errc::invalid_data,
                        fmt::format("the collections of section {} in {} do not match their state; move them "
                                    "away to start again with a snapshot",
                                    section_, config_.out.string()));
    SHEAF_TRY(catalog_.stage(section_, state_));
    return true;
  }

 private:
  struct Known {
    CatalogEntry page;
    Instant as_of;                 ///< `generated` of the collection with this version
    std::size_t mentioned_by = 0;  ///< number of the last collection that has the page

    [[nodiscard]] Instant modified() const { return format::bounded_modified(page.modified_at, as_of); }
    /// The version that clients have; empty for a removed page.
    [[nodiscard]] std::optional<format::StoredVersion> version() const {
      if (page.removed_at) return std::nullopt;
      return format::StoredVersion{modified(), as_of};
    }
  };

  /// Reads one file of each collection, and only counts the pages in other codecs. Files from before the
  /// newest snapshot matter only for removed pages: if such a page comes back, its `modified` must be later
  /// than the one that clients know.
  base::Result<void> add_file(const CollectionName& name, Instant snapshot) {
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
    const std::tuple collection(name.generated, name.type, name.since);
    const bool first = std::exchange(last_read_, collection) != collection;
    if (first) begin_collection(reader->head(), name);
    SHEAF_TRY_ASSIGN(file.pages, read_pages(*reader, path, first));
    if (first && name.type == model::CollectionType::snapshot) remove_unlisted();
    if (first && name.generated >= snapshot) {
      stated_ = reader->head().state;
      state_.generated = std::max(state_.generated, name.generated);
      if (name.type == model::CollectionType::snapshot) state_.snapshot = name.generated;
    }
    state_.files.push_back(std::move(file));
    return {};
  }

  /// Our own files are applied in the order of writing, so each snapshot is complete for its time.
  void begin_collection(const model::CollectionHead& head, const CollectionName& name) {
    ++collection_;
    generated_ = name.generated;
    mode_ = name.type == model::CollectionType::snapshot ? format::ApplyMode::replacement
                                                         : format::ApplyMode::delta;
    if (mode_ == format::ApplyMode::delta)
      for (const std::string& url : head.removed) remove(url);
  }

  base::Result<std::uint64_t> read_pages(format::CollectionReader& reader, const fs::path& path, bool apply) {
    std::uint64_t count = 0;
    while (true) {
      const auto more = reader.next();
      if (!more) return failure(path, more.error());
      if (!*more) return count;
      ++count;
      if (apply) put(reader.page());
    }
  }

  void put(const Page& page) {
    Known& known = pages_[std::string(page.url)];
    const Instant modified = format::bounded_modified(page.modified_at, generated_);
    const bool is_duplicate = known.mentioned_by == collection_;
    const bool is_known = known.mentioned_by > 0;
    known.mentioned_by = collection_;
    if (is_duplicate && !format::wins_within_collection(modified, known.modified())) return;
    const auto stored = is_known && !is_duplicate ? known.version() : std::nullopt;
    if (format::url_outcome(mode_, generated_, stored, {.modified = modified}) == format::UrlOutcome::stays)
      return;
    known.page = {std::string(page.url), format::fingerprint_of(page), std::string(page.modified),
                  page.modified_at, std::nullopt};
    known.as_of = generated_;
  }

  /// Records that a page was removed. If a delta both removes and contains a page, the removal comes first.
  /// If no file has the page any more, clients know no later `modified` than the time of the collection that
  /// removed it.
  void remove(const std::string& url) {
    const auto [entry, added] = pages_.try_emplace(url);
    CatalogEntry& page = entry->second.page;
    if (added) page = {url, {}, format_time(generated_), generated_, std::nullopt};
    page.removed_at = generated_;
  }

  void remove_unlisted() {
    for (auto& [url, known] : pages_) {
      if (known.mentioned_by == collection_) continue;
      if (format::url_outcome(mode_, generated_, known.version(), {}) == format::UrlOutcome::removed)
        known.page.removed_at = generated_;
    }
  }

  static std::unexpected<base::Error> failure(const fs::path& path, const format::Finding& finding) {
    return base::fail(
        base::Errc::invalid_data,
        fmt::format("{} cannot be read to find out what was published: {}; move it away to start again",
                    path.string(), finding.message));
  }

  Catalog& catalog_;
  const PublishConfig& config_;
  std::string section_;
  std::map<std::string, Known> pages_;  ///< by URL, including removed ones
  std::size_t collection_ = 0;          ///< number of the current collection, from 1
  Instant generated_;                   ///< of the current collection
  format::ApplyMode mode_ = format::ApplyMode::delta;
  std::optional<std::tuple<Instant, model::CollectionType, std::optional<Instant>>> last_read_;
  std::optional<std::string> stated_;
  format::StateDigest digest_;
  CatalogSection state_;
};

}  // namespace

base::Result<bool> recover_section(Catalog& catalog, const PublishConfig& config,
                                   const std::string& section) {
  return Recovery(catalog, config, section).run();
}

}  // namespace sheaf::publish
