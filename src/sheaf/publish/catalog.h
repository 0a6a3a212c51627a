#pragma once

#include "sheaf/base/error.h"
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

// What was published, on disk, so that the next run can tell what changed.
//
// A run stages its changes beside what is there (keys that begin with 'T'), says that they are complete
// (prepare), publishes its files, and then makes the changes true (commit). Ended before prepare, it leaves
// nothing; ended after it, the next run publishes the same files again, which does no harm, and commits:
// nobody has seen a collection that the catalog does not know.
namespace sheaf::publish {

/// A page as it was last published.
struct CatalogEntry {
  std::string url;
  Fingerprint fingerprint{};
  std::string modified;  ///< as it stands in the page
  Instant modified_at;
  std::optional<Instant> removed_at;  ///< unpublished then
};

/// What a file or line of a source became, so that it need not be read again while its bytes are the same.
struct ItemRecord {
  Fingerprint bytes{};  ///< of the item, and of all that decides what it becomes
  SkipReason skip = SkipReason::none;
  std::string detail;  ///< of what was left out
  std::string url;     ///< of what was not
};

/// A file that was published.
struct PublishedFile {
  CollectionName name;
  std::uint64_t bytes = 0;
  std::uint64_t pages = 0;
  std::optional<Instant> since;
  std::string checksum;
};

/// A section as readers know it.
struct CatalogSection {
  Instant generated;                ///< of the newest collection
  std::optional<Instant> snapshot;  ///< of the newest snapshot
  base::Digest state{};             ///< the sum over its pages
  std::uint64_t pages = 0;
  std::vector<PublishedFile> files;  ///< oldest first
};

class Catalog {
 public:
  /// Opens the folder. Staged changes that were never prepared are to be discarded by the caller, who may
  /// want to look at announced() first.
  static base::Result<Catalog> open(const std::filesystem::path& folder);

  /// The base URL of the site that the catalog belongs to; nullopt if none was recorded, as in catalogs of
  /// older versions.
  base::Result<std::optional<std::string>> owner() const;
  /// Records it, at once and for good.
  base::Result<void> set_owner(std::string_view base_url);

  // What was committed. A record that cannot be understood is an error: invalid_data.
  base::Result<std::optional<CatalogEntry>> page(std::string_view section, std::string_view url) const;
  base::Result<std::optional<ItemRecord>> item(std::string_view section, std::string_view name) const;
  base::Result<std::optional<CatalogSection>> section(std::string_view name) const;
  base::Result<std::vector<std::string>> sections() const;
  /// Calls `use` for each page of a section, unpublished ones too, in no order.
  base::Result<void> each_page(std::string_view section,
                               const std::function<base::Result<void>(const CatalogEntry&)>& use) const;

  // What is to become of it.
  base::Result<void> stage(std::string_view section, const CatalogEntry& page);
  base::Result<void> stage(std::string_view section, std::string_view item_name, const ItemRecord& item);
  base::Result<void> stage(std::string_view section, const CatalogSection& state);
  /// Forgets an unpublished page for good.
  base::Result<void> stage_forget(std::string_view section, std::string_view url);
  /// Forgets the items of a section that `is_there` does not know by their ids.
  base::Result<void> stage_forget_items(std::string_view section,
                                        const std::function<bool(std::string_view id)>& is_there);
  /// What stands for an item's name in the catalog.
  static std::string item_id(std::string_view name);
  /// The state of a section once the staged changes are made.
  base::Result<std::optional<CatalogSection>> staged_section(std::string_view name) const;

  /// Says which files are about to be written, so that they can be taken away if nothing comes of it.
  base::Result<void> announce(const std::vector<std::string>& file_names);
  /// The files that a run announced which was then ended, unless it was prepared; until the next commit or
  /// discard.
  base::Result<std::vector<std::string>> announced() const;

  /// Everything staged is complete and on disk.
  base::Result<void> prepare();
  [[nodiscard]] bool is_prepared() const { return prepared_; }
  /// Makes the staged changes. Ended in the middle, it can be called again.
  base::Result<void> commit();
  base::Result<void> discard();

 private:
  Catalog(std::filesystem::path folder, database::Database database)
      : folder_(std::move(folder)), database_(std::move(database)) {}

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
