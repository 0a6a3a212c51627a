#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/external_sort.h"
#include "sheaf/base/file.h"
#include "sheaf/database/background_file.h"
#include "sheaf/database/database.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/local/store_records.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/section_writer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::local {

/// The changes to one section that become visible together: its index, its record and the change feed. Small
/// changes are kept in memory and written as one batch; large ones go to sorted files that the database
/// ingests atomically, so memory is bounded. Requires the store's commit mutex, except for delete_old_data().
class SectionChange {
 public:
  /// `unbounded` is for callers that have the pages in memory anyway: the change then never goes to files.
  enum class Memory : std::uint8_t { bounded, unbounded };
  /// `record` is the current record of the section; its id is 0 for a new section.
  SectionChange(StoreCore& core, std::string_view site, std::string_view section, const SectionRecord& record,
                Memory memory = Memory::bounded);

  using Feed = SectionWriter::Feed;
  // These must be called in the order of URL hashes.
  base::Result<void> put(const UrlKey& url, const std::optional<PageEntry>& before, const PageEntry& after,
                         Feed feed = Feed::report);
  base::Result<void> remove(const UrlKey& url, const PageEntry& before, Feed feed = Feed::report);
  /// Removes an unreadable entry.
  base::Result<void> forget(std::string_view key);

  /// The new record of the section. Pages, bytes and state are updated here, the rest by the caller.
  [[nodiscard]] SectionRecord& record() { return record_; }

  /// Whether the change went to files. Then more() cannot be used.
  [[nodiscard]] bool is_large() const { return index_file_.has_value(); }
  /// A batch that is committed with the change, if it is not large.
  [[nodiscard]] Database::Batch& more() { return more_; }
  /// Makes the change finish this run: commit() removes its mark.
  void set_run(std::uint64_t run) { run_ = run; }

  using Fate = SectionWriter::Fate;
  /// Commits the change; it is on disk when this returns. A dropped section leaves no record.
  base::Result<void> commit(Fate fate = Fate::kept);
  /// Deletes the replaced data. Must be called after commit(), without the commit mutex.
  base::Result<void> delete_old_data();
  /// Adds data that is unreferenced after the change.
  base::Result<void> add_old_data(const Place& place, std::uint64_t json_bytes);

 private:
  void add_to_feed(bool is_removal, std::string_view url, std::string_view old_modified,
                   std::string_view new_modified);
  /// Moves the entries to files if there are too many for memory.
  base::Result<void> bound_memory();
  base::Result<void> begin_files();
  base::Result<void> commit_batch(const EntryList& records);
  base::Result<void> commit_files(const EntryList& records);

  StoreCore& core_;
  std::string site_;
  std::string section_;
  SectionRecord record_;
  Memory memory_;
  Meta meta_;
  format::StateDigest state_;
  EntryList index_;  ///< entries that are not in the file yet
  EntryList feed_;
  std::string value_;  ///< encoded value of the current entry
  std::optional<BackgroundFile> index_file_;
  std::optional<BackgroundFile> feed_file_;
  Database::Batch more_;
  std::optional<std::uint64_t> run_;
  base::ExternalSort<Place> old_data_;
};

}  // namespace sheaf::store::local
