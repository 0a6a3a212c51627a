#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/external_sort.h"
#include "sheaf/base/file.h"
#include "sheaf/database/background_file.h"
#include "sheaf/database/database.h"
#include "sheaf/database/entry_list.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/local/store_records.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::local {

/// The changes to one section that become visible together: its index, its record and the change feed. Small
/// ones are held in memory and written as one batch; large ones go to sorted files that the database takes in
/// at once, so memory stays flat. Made and used with the store's commit mutex held.
class SectionChange {
 public:
  /// Unbounded is for callers who hold the pages in memory anyway: the change is then never large.
  enum class Memory : std::uint8_t { bounded, unbounded };
  /// `record` is what the section is now; without an id for one that is new.
  SectionChange(StoreCore& core, std::string_view site, std::string_view section, const SectionRecord& record,
                Memory memory = Memory::bounded);

  enum class Feed : std::uint8_t { tell, keep_silent };
  // In the order of the URLs' hashes.
  base::Result<void> put(const UrlKey& url, const std::optional<PageEntry>& before, const PageEntry& after,
                         Feed feed = Feed::tell);
  base::Result<void> remove(const UrlKey& url, const PageEntry& before, Feed feed = Feed::tell);
  /// An entry that cannot be read.
  base::Result<void> forget(std::string_view key);

  /// What the section becomes: pages, bytes and state follow the changes, the rest is for the caller.
  [[nodiscard]] SectionRecord& record() { return record_; }
  [[nodiscard]] std::uint64_t pages_before() const { return pages_before_; }

  /// So many that they went to files. Nothing can then go along in more().
  [[nodiscard]] bool is_large() const { return index_file_.has_value(); }
  /// Goes along with a change that is not large.
  [[nodiscard]] Database::Batch& more() { return more_; }
  /// The pages of this run, marked as under way, are those of the change.
  void set_run(std::uint64_t run) { run_ = run; }

  enum class Fate : std::uint8_t { kept, dropped };
  /// Makes the change, on disk when it returns. A dropped section leaves no record.
  base::Result<void> commit(Fate fate = Fate::kept);
  /// Deletes the data that pages had before; to be called after the commit, without the commit mutex.
  base::Result<void> delete_old_data();
  /// More data that nothing refers to once the change is made.
  base::Result<void> add_old_data(const Place& place, std::uint64_t json_bytes);

 private:
  void tell(ChangeKind kind, std::string_view url, std::string_view old_modified,
            std::string_view new_modified);
  /// Puts what is held into files where it is too much to be held.
  base::Result<void> bound_memory();
  base::Result<void> begin_files();
  base::Result<void> commit_batch(const EntryList& records);
  base::Result<void> commit_files(const EntryList& records);

  StoreCore& core_;
  std::string site_;
  std::string section_;
  SectionRecord record_;
  Memory memory_;
  std::uint64_t pages_before_;
  Meta meta_;
  format::StateDigest state_;
  EntryList index_;  ///< what is not yet in the file, if there is one
  EntryList feed_;
  std::string value_;  ///< of the entry that is being made
  std::optional<BackgroundFile> index_file_;
  std::optional<BackgroundFile> feed_file_;
  Database::Batch more_;
  std::optional<std::uint64_t> run_;
  base::ExternalSort<Place> old_data_;
};

}  // namespace sheaf::store::local
