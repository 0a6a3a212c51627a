#pragma once

#include "sheaf/base/error.h"
#include "sheaf/database/background_file.h"
#include "sheaf/database/database.h"
#include "sheaf/database/entry_list.h"
#include "sheaf/format/limits.h"
#include "sheaf/store/local/commit_journal.h"
#include "sheaf/store/local/page_packer.h"
#include "sheaf/store/local/store_records.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/section_locks.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::local {

using database::BackgroundFile;
using database::Database;
using database::Durability;
using database::EntryList;
using database::Table;
using database::Tables;

/// Memory for sorting; larger amounts are sorted on disk.
inline constexpr std::size_t kSortMemory = 16 * format::kMiB;
/// Pages between two progress reports.
inline constexpr std::uint64_t kPagesBetweenReports = 256;

/// Reads the records of a consistent view of the store.
class StoreView {
 public:
  explicit StoreView(const Database& database, std::filesystem::path folder)
      : view_(database.view()), folder_(std::move(folder)) {}

  [[nodiscard]] base::Result<Meta> meta() const;
  [[nodiscard]] base::Result<std::optional<SectionRecord>> section(std::string_view site,
                                                                   std::string_view section) const;
  [[nodiscard]] base::Result<std::vector<NamedSection>> sections(std::string_view site) const;
  [[nodiscard]] base::Result<std::optional<PageEntry>> entry(std::uint32_t section, const UrlKey& url) const;
  /// The JSON of a page. Fails with Errc::invalid_data if it is missing or does not match the entry.
  [[nodiscard]] base::Result<std::string> json(const PageEntry& entry) const;
  [[nodiscard]] const Database::View& view() const { return view_; }

  /// The error for a damaged record.
  [[nodiscard]] base::Error damaged(std::string_view what) const;

 private:
  Database::View view_;
  std::filesystem::path folder_;
};

/// The shared state of a store's operations. An operation on a section locks that section until it ends;
/// `commit_mutex` is held only while a change becomes visible.
class StoreCore {
 public:
  static base::Result<std::unique_ptr<StoreCore>> open(const std::filesystem::path& folder, Access access);
  StoreCore(const StoreCore&) = delete;
  StoreCore& operator=(const StoreCore&) = delete;

  [[nodiscard]] Database& database() { return database_; }
  [[nodiscard]] const Database& database() const { return database_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] StoreView view() const { return StoreView(database_, folder_); }
  /// The path of a temporary file that will be ingested or deleted. Files left by a killed process are
  /// deleted when the store is opened next.
  [[nodiscard]] std::filesystem::path incoming_file(std::string_view kind, const Place& place) const;

  /// Implements PageStore::refresh().
  base::Result<void> refresh();

  /// Fails with Errc::refused if the store is open for reading only, or with Errc::invalid_argument if a name
  /// cannot be part of a key.
  [[nodiscard]] base::Result<void> check_writable(std::string_view site, std::string_view section) const;
  [[nodiscard]] std::unique_lock<std::mutex> lock_section(std::string_view site, std::string_view section) {
    return section_locks_.lock(site, section);
  }

  [[nodiscard]] std::mutex& commit_mutex() { return commit_mutex_; }
  /// The state after the last commit, plus numbers assigned since. Requires the commit mutex.
  [[nodiscard]] Meta& meta() { return meta_; }
  /// Every commit must be added to it. Requires the commit mutex.
  [[nodiscard]] CommitJournal& journal() { return journal_; }
  /// The records that the journal had just before the database was opened or refreshed; in the writing
  /// process, its current records.
  [[nodiscard]] CommitJournal::Records recorded_commits() const {
    return access_ == Access::write ? journal_.records() : journal_.read_held();
  }
  /// Packs files of large runs. Thread-safe.
  [[nodiscard]] PagePacker& packer() { return packer_; }
  /// Returns the number of a new run.
  std::uint64_t new_run();

  /// Marks the run as unfinished on disk: its pages are not referenced yet. Requires the commit mutex.
  base::Result<void> begin_run(std::uint64_t run);
  /// Deletes the pages and the mark of an abandoned run.
  base::Result<void> abandon_run(std::uint64_t run);

 private:
  StoreCore(std::filesystem::path folder, Access access, Database database, CommitJournal journal);

  base::Result<void> load_meta();
  base::Result<void> clean_up();
  base::Result<void> compare_with_journal();
  base::Result<void> continue_after_loss();
  [[nodiscard]] base::Result<void> check_format(const Meta& meta) const;

  std::filesystem::path folder_;
  Access access_;
  Database database_;
  CommitJournal journal_;
  std::mutex commit_mutex_;
  Meta meta_;
  SectionLocks section_locks_;
  PagePacker packer_{database_};
};

}  // namespace sheaf::store::local
