#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crawl/template_learning.h"
#include "sheaf/database/database.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/publish/publish_plan.h"
#include "sheaf/publish/sources/skip_reason.h"
#include <sheaf/time.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Records on disk what was published, so that the next run can detect changes.
//
// A run stages its changes under separate keys (prefix 'T'), marks them as complete (prepare), publishes its
// files, and then applies the changes (commit). If it is killed before prepare, nothing remains; after
// prepare, the next run publishes the same files again, which does no harm, and commits. So no client ever
// sees a collection that the catalog does not know.
namespace sheaf::publish {

/// A page as it was last published.
struct CatalogEntry {
  std::string url;
  Fingerprint fingerprint{};
  std::string modified;  ///< as written in the page
  Instant modified_at;
  std::optional<Instant> removed_at;  ///< when it was unpublished
};

/// The result for a file or line of a source, so that it need not be read again while its bytes are
/// unchanged.
struct ItemRecord {
  Fingerprint bytes{};  ///< of the item and of all settings that affect the result
  SkipReason skip = SkipReason::none;
  std::string detail;  ///< if it was skipped
  std::string url;     ///< if it was published
};

/// A file that was published.
struct PublishedFile {
  CollectionName name;
  std::uint64_t bytes = 0;
  std::uint64_t pages = 0;
  std::optional<Instant> since;
  std::string checksum;
};

/// A section as clients see it.
struct CatalogSection {
  Instant generated;                ///< of the newest collection
  std::optional<Instant> snapshot;  ///< of the newest snapshot
  base::Digest state{};             ///< the sum over its pages
  std::uint64_t pages = 0;
  std::vector<PublishedFile> files;  ///< in the order of writing
};

class Catalog {
 public:
  /// Opens the folder; converts a catalog of an older version, and refuses one of a newer. The caller has to
  /// discard staged changes that were not prepared, after reading announced().
  static base::Result<Catalog> open(const std::filesystem::path& folder);

  /// The base URL of the site that the catalog belongs to; nullopt if none was recorded, as in catalogs of
  /// older versions.
  base::Result<std::optional<std::string>> owner() const;
  /// Records it immediately and permanently.
  base::Result<void> set_owner(std::string_view base_url);

  // The committed state. An unreadable record is an error: invalid_data.
  base::Result<std::optional<CatalogEntry>> page(std::string_view section, std::string_view url) const;
  base::Result<std::optional<ItemRecord>> item(std::string_view section, std::string_view name) const;
  base::Result<std::optional<CatalogSection>> section(std::string_view name) const;
  base::Result<std::vector<std::string>> sections() const;
  /// The template of a section's source, the `source`th. One that cannot be understood is as good as none: it
  /// is learned again.
  base::Result<std::optional<crawl::LearnedTemplate>> site_template(std::string_view section,
                                                                    std::size_t source) const;
  /// Calls `use` for each page of a section, including unpublished ones, sorted by URL unless those are long.
  base::Result<void> each_page(std::string_view section,
                               const std::function<base::Result<void>(const CatalogEntry&)>& use) const;
  /// The same with the prepared changes, in the order that each_page() has after the commit.
  base::Result<void> each_staged_page(
      std::string_view section, const std::function<base::Result<void>(const CatalogEntry&)>& use) const;

  // Stages changes.
  base::Result<void> stage(std::string_view section, const CatalogEntry& page);
  base::Result<void> stage(std::string_view section, std::string_view item_name, const ItemRecord& item);
  base::Result<void> stage(std::string_view section, const CatalogSection& state);
  base::Result<void> stage_template(std::string_view section, std::size_t source,
                                    const crawl::LearnedTemplate& learned);
  /// Deletes the record of an unpublished page.
  base::Result<void> stage_forget(std::string_view section, std::string_view url);
  /// Deletes the records of a section's items for whose ids `is_there` returns false.
  base::Result<void> stage_forget_items(std::string_view section,
                                        const std::function<bool(std::string_view id)>& is_there);
  /// The id of an item in the catalog, from its name.
  static std::string item_id(std::string_view name);
  /// The state of a section after the staged changes.
  base::Result<std::optional<CatalogSection>> staged_section(std::string_view name) const;

  // Notes: small records of other parts of publish, by keys of their own. note() is the committed state.
  base::Result<std::optional<std::string>> note(std::string_view key) const;
  base::Result<std::optional<std::string>> staged_note(std::string_view key) const;
  base::Result<void> stage_note(std::string_view key, std::string_view value);
  base::Result<void> stage_forget_note(std::string_view key);
  /// In the order of the keys, with the changes that were staged before. Changes during the call are not
  /// seen.
  base::Result<void> each_note(
      std::string_view prefix,
      const std::function<base::Result<void>(std::string_view key, std::string_view value)>& use);
  /// The changes only; nullopt for a note that is forgotten.
  base::Result<void> each_staged_note(
      std::string_view prefix,
      const std::function<base::Result<void>(std::string_view key, std::optional<std::string_view> value)>&
          use);

  /// Records which files will be written, so that they can be deleted if the run does not complete.
  base::Result<void> announce(const std::vector<std::string>& file_names);
  /// The files that an incomplete run announced; until the next commit or discard.
  base::Result<std::vector<std::string>> announced() const;

  /// Marks the staged changes as complete, on disk.
  base::Result<void> prepare();
  [[nodiscard]] bool is_prepared() const { return prepared_; }
  /// Applies the staged changes. After an interruption it can be called again.
  base::Result<void> commit();
  base::Result<void> discard();

 private:
  Catalog(std::filesystem::path folder, database::Database database)
      : folder_(std::move(folder)), database_(std::move(database)) {}

  base::Result<void> check_format();
  base::Result<void> replace_hashed_keys();
  base::Result<void> replace_hashed_key(std::string_view key, std::string_view value, bool staged);
  base::Result<void> put(const std::string& key, std::string_view value);
  base::Result<void> flush(database::Durability durability);
  [[nodiscard]] base::Result<bool> has_many_staged() const;
  base::Result<void> commit_by_files();
  base::Result<void> commit_by_batch();
  base::Result<void> end_stage();

  std::filesystem::path folder_;
  database::Database database_;
  database::Database::Batch batch_;  ///< staged, not written yet
  bool prepared_ = false;
};

}  // namespace sheaf::publish
