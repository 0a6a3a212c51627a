#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/threads.h"
#include "sheaf/database/database.h"
#include "sheaf/store/local/section_change.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/local/store_records.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/section_writer.h"

#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sheaf::store::local {

/// How the pages of a run are divided into files.
struct DataFiles {
  std::uint64_t bytes = 128 * format::kMiB;  ///< bytes of pages per file, enough for packing it alone
  /// Threads that pack finished files while the next ones are written; 0 for none. A run that does not fill a
  /// file is left to PageStore::pack(), which packs it together with other runs.
  unsigned pack_threads = 0;
  std::uint64_t unpacked = 64 * format::kMiB;  ///< this many bytes may always wait to be packed
};

/// Writes the pages of one run before anything refers to them. Few pages stay in memory and are committed
/// with the change that makes them visible. More pages go to sorted files, and the run is marked as
/// unfinished in the database; if the change is not committed, they are deleted again. A thread writes the
/// files, and starts the next one while the previous one is synced: compression takes longer than adding
/// pages, so the thread must never wait.
class DataWriter {
 public:
  explicit DataWriter(StoreCore& core, const DataFiles& files = {})
      : core_(core), files_(files), run_(core.new_run()) {}
  ~DataWriter();
  DataWriter(const DataWriter&) = delete;
  DataWriter& operator=(const DataWriter&) = delete;

  /// Adds a page and returns its place. Must be called without the commit mutex, which it locks when the
  /// pages become too many for memory.
  base::Result<Place> add(const PageData& data);

  /// Must be called after the last add(). The files are finished in the background.
  base::Result<void> close();
  /// Adds all pages to the database or to `change`, which must be committed next. Requires the commit mutex.
  base::Result<void> hand_over(SectionChange& change);
  /// Must be called after the change was committed; otherwise the destructor deletes the pages.
  void keep() { kept_ = true; }

 private:
  /// Consecutive pages.
  struct Piece {
    std::uint64_t first = 0;  ///< number of the first page
    std::string bytes;
    std::vector<std::size_t> ends;
  };
  using Queue = base::BoundedQueue<Piece>;

  base::Result<void> add_record(const PageData& data);
  base::Result<void> begin_files();  ///< requires the commit mutex
  base::Result<void> send();
  base::Result<void> end_files();

  // These run on the thread.
  base::Result<void> write_files();
  base::Result<void> write(const Piece& piece);
  base::Result<void> open_file(std::uint64_t first);
  base::Result<void> close_file();
  base::Result<void> wait_for_closing();

  StoreCore& core_;
  DataFiles files_;
  std::uint64_t run_;
  std::uint64_t count_ = 0;
  Piece piece_{1, {}, {}};
  std::optional<Queue> queue_;  ///< only if there are files
  bool closed_ = false;
  base::Result<void> written_;  ///< result of the thread, valid after it has ended
  std::optional<Database::SortedFile> file_;
  unsigned begun_ = 0;                       ///< files begun so far
  std::future<base::Result<void>> closing_;  ///< closes the previous file
  bool kept_ = false;
  std::jthread thread_;
};

/// An operation on a section of a local store. Holds the lock of the section until it is destroyed, and the
/// commit mutex from begin() to commit().
class LocalSectionWriter final : public SectionWriter {
 public:
  LocalSectionWriter(StoreCore& core, std::string_view site, std::string_view section,
                     const DataFiles& files = {},
                     SectionChange::Memory memory = SectionChange::Memory::bounded);

  base::Result<std::optional<SectionRecord>> read_section() override;
  base::Result<std::vector<std::optional<PageEntry>>> find(std::span<const UrlKey> urls) override;
  base::Result<std::vector<bool>> find_elsewhere(std::span<const UrlKey> urls) override;
  base::Result<std::string> read_json(const PageEntry& entry) override { return view().json(entry); }
  base::Result<Place> add(const PageData& data) override;
  base::Result<void> close() override { return data_ ? data_->close() : base::Result<void>(); }
  base::Result<void> begin(const SectionRecord& record) override;
  base::Result<std::unique_ptr<EntryScan>> scan(Damage damage) override;
  base::Result<void> put(const UrlKey& url, const std::optional<PageEntry>& before, const PageEntry& after,
                         Feed feed) override;
  base::Result<void> remove(const UrlKey& url, const PageEntry& before, Feed feed) override;
  base::Result<void> drop_data(const Place& place, std::uint64_t json_bytes) override;
  SectionRecord& record() override { return change_->record(); }
  base::Result<void> commit(Fate fate, const std::vector<SectionEdit::NoteChange>& notes) override;
  base::Result<void> commit_notes(const std::vector<SectionEdit::NoteChange>& notes) override;

 private:
  const StoreView& view();
  void add_notes(Database::Batch& batch, const std::vector<SectionEdit::NoteChange>& notes) const;

  StoreCore& core_;
  std::string site_;
  std::string section_;
  DataFiles files_;
  SectionChange::Memory memory_;
  std::unique_lock<std::mutex> section_lock_;
  std::optional<StoreView> view_;
  std::uint32_t id_ = 0;  ///< id of the section; 0 if it does not exist
  std::optional<std::vector<NamedSection>> others_;
  std::optional<DataWriter> data_;
  std::unique_lock<std::mutex> commit_lock_;
  std::optional<SectionChange> change_;
};

}  // namespace sheaf::store::local
