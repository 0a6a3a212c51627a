#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/database/background_file.h"
#include "sheaf/database/database.h"
#include "sheaf/format/limits.h"
#include "sheaf/store/local/page_packer.h"
#include "sheaf/store/local/store_records.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/section_writer.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::local {

/// The state of the store after its newest commit, in a small file next to the database. If the newest log of
/// the database is lost, the database opens without an error but without the newest commits; this file
/// reveals the loss. A record is appended after each commit, so the database is never behind this file unless
/// data was lost. The file is not synced, because that would cost another fsync per commit. So after a power
/// failure it may be some commits behind the database.
class CommitJournal {
 public:
  struct Section {
    std::uint64_t pages = 0;
    base::Digest state{};

    friend bool operator==(const Section&, const Section&) = default;
  };

  /// The content of the file. Missing records, and those after damage, count as never written.
  struct Records {
    Meta meta;                                             ///< after the newest recorded commit
    std::map<std::string, Section, std::less<>> sections;  ///< by their keys (section_key)
    bool is_whole = true;  ///< the file ends with a complete record, so that more can be appended
    bool is_damaged =
        false;  ///< it cannot be read, and not only because a writer or a power loss cut its end
    std::uint64_t bytes = 0;  ///< size of the file
  };

  explicit CommitJournal(const std::filesystem::path& folder) : path_(folder / "commits") {}

  /// Opens the file and remembers its size, without reading it: only `verify` needs the records, and their
  /// number grows with the number of sites. Writers only append to the file or replace it, so these records
  /// can be read later.
  void hold();
  /// The records that the file had at the last hold().
  [[nodiscard]] Records read_held() const;

  // For the process that writes the store.

  /// Reads the held file, so that add() can continue it.
  void load();
  /// As of the last commit.
  [[nodiscard]] const Records& records() const { return records_; }
  /// Records a commit and the state of the section after it; nullopt if the section was dropped. A failure to
  /// write does not fail the commit; the file is then rewritten at the next commit.
  void add(const Meta& meta, std::string_view section_key, const std::optional<Section>& section);
  void add(const Meta& meta);
  /// Rewrites the file from the database.
  void replace(const Meta& meta, std::map<std::string, Section, std::less<>> sections);

 private:
  bool append(std::string_view bytes);
  void rewrite();

  std::filesystem::path path_;
  base::FileDescriptor held_;
  std::uint64_t held_bytes_ = 0;
  base::FileDescriptor file_;  ///< open for appending
  Records records_;
  std::uint64_t rewritten_bytes_ = 0;  ///< size after the last rewrite
};

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
  static base::Result<std::unique_ptr<StoreCore>> open(const std::filesystem::path& folder,
                                                       StoreAccess access);
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
    return access_ == StoreAccess::write ? journal_.records() : journal_.read_held();
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
  StoreCore(std::filesystem::path folder, StoreAccess access, Database database, CommitJournal journal);

  base::Result<void> load_meta();
  base::Result<void> clean_up();
  base::Result<void> compare_with_journal();
  base::Result<void> continue_after_loss();
  [[nodiscard]] base::Result<void> check_format(const Meta& meta) const;

  std::filesystem::path folder_;
  StoreAccess access_;
  Database database_;
  CommitJournal journal_;
  std::mutex commit_mutex_;
  Meta meta_;
  SectionLocks section_locks_;
  PagePacker packer_{database_};
};

}  // namespace sheaf::store::local
