#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crawl/site_template.h"
#include "sheaf/database/database.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/publish/publish_plan.h"
#include <sheaf/publish.h>
#include <sheaf/time.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A record on disk of what was published, so that the next run can detect changes.
//
// A run stages its changes under separate keys (prefix 'T'), marks them as complete (prepare), publishes its
// files, and then applies the changes (commit). If a run is killed before prepare, nothing of it remains. If
// it is killed after prepare, the next run publishes the same files again, which does no harm, and commits.
// So no client ever sees a collection that the catalog does not know.
namespace sheaf::publish {

/// A page as it was last published.
struct CatalogEntry {
  std::string url;
  Fingerprint fingerprint{};
  std::string modified;  ///< `modified` as written in the page
  Instant modified_at;
  std::optional<Instant> removed_at;  ///< when it was unpublished
};

/// The result for a file or line of a source. While its bytes are unchanged, it need not be read again.
struct ItemRecord {
  Fingerprint bytes{};  ///< hash of the item and of all settings that affect the result
  SkipReason skip = SkipReason::none;
  std::string detail;  ///< details, if it was skipped
  std::string url;     ///< URL of the page, if it was published
};

/// A section as clients see it.
struct CatalogSection {
  Instant generated;                ///< `generated` of the newest collection
  std::optional<Instant> snapshot;  ///< `generated` of the newest snapshot
  base::Digest state{};             ///< state digest: the sum over the pages
  std::uint64_t pages = 0;
  std::vector<PublishedFile> files;  ///< in the order in which they were written
};

class Catalog {
 public:
  /// Opens the folder. Fails for a catalog of another version. The caller must discard staged changes that
  /// were not prepared, after reading announced().
  static base::Result<Catalog> open(const std::filesystem::path& folder);

  /// An empty catalog in memory, for a dry run.
  static base::Result<Catalog> create_in_memory();

  /// The base URL of the site that the catalog belongs to; nullopt before the first run has recorded it.
  base::Result<std::optional<std::string>> owner() const;
  /// Records the owner at once, without a commit.
  base::Result<void> set_owner(std::string_view base_url);

  // Read the committed state. Fail with Errc::invalid_data if a record is unreadable.
  base::Result<std::optional<CatalogEntry>> page(std::string_view section, std::string_view url) const;
  base::Result<std::optional<ItemRecord>> item(std::string_view section, std::string_view name) const;
  base::Result<std::optional<CatalogSection>> section(std::string_view name) const;
  base::Result<std::vector<std::string>> sections() const;
  /// The template of the section's source with this index. nullopt if it cannot be read: it is then learned
  /// again.
  base::Result<std::optional<crawl::LearnedTemplate>> site_template(std::string_view section,
                                                                    std::size_t source) const;
  /// Calls `use` for each page of a section, including unpublished ones. Sorted by URL, except for very long
  /// URLs.
  base::Result<void> each_page(std::string_view section,
                               const std::function<base::Result<void>(const CatalogEntry&)>& use) const;
  /// The same as each_page() but with the prepared changes, in the order that each_page() has after the
  /// commit.
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
  /// Deletes the records of those items of a section for whose ids `is_there` returns false.
  base::Result<void> stage_forget_items(std::string_view section,
                                        const std::function<bool(std::string_view id)>& is_there);
  /// The id of an item in the catalog, from its name.
  static std::string item_id(std::string_view name);
  /// The state of a section after the staged changes.
  base::Result<std::optional<CatalogSection>> staged_section(std::string_view name) const;

  // Notes: small records of other parts of publish, under keys that they choose. note() reads the committed
  // state.
  base::Result<std::optional<std::string>> note(std::string_view key) const;
  base::Result<std::optional<std::string>> staged_note(std::string_view key) const;
  base::Result<void> stage_note(std::string_view key, std::string_view value);
  base::Result<void> stage_forget_note(std::string_view key);
  /// Calls `use` for the notes with this prefix, including staged changes, in the order of the keys. Does not
  /// see changes made during the call.
  base::Result<void> each_note(
      std::string_view prefix,
      const std::function<base::Result<void>(std::string_view key, std::string_view value)>& use);
  /// Calls `use` for the staged changes only; `value` is nullopt for a note that is deleted.
  base::Result<void> each_staged_note(
      std::string_view prefix,
      const std::function<base::Result<void>(std::string_view key, std::optional<std::string_view> value)>&
          use);

  /// Records which files will be written, so that they can be deleted if the run does not finish.
  base::Result<void> announce(const std::vector<std::string>& file_names);
  /// The files that an incomplete run announced. Available until the next commit or discard.
  base::Result<std::vector<std::string>> announced() const;

  /// Marks the staged changes as complete, durably.
  base::Result<void> prepare();
  [[nodiscard]] bool is_prepared() const { return prepared_; }
  /// Applies the staged changes. Can be called again after an interruption.
  base::Result<void> commit();
  base::Result<void> discard();

 private:
  Catalog(std::filesystem::path folder, database::Database database)
      : folder_(std::move(folder)), database_(std::move(database)) {}

  base::Result<void> check_format();
  base::Result<void> put(const std::string& key, std::string_view value);
  base::Result<void> flush(database::Durability durability);
  [[nodiscard]] base::Result<bool> has_many_staged() const;
  base::Result<void> commit_by_files();
  base::Result<void> commit_by_batch();
  base::Result<void> end_stage();

  std::filesystem::path folder_;
  database::Database database_;
  database::Database::Batch batch_;  ///< staged changes that are not written yet
  bool prepared_ = false;
};

}  // namespace sheaf::publish
