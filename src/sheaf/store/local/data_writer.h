#pragma once

#include "sheaf/base/bounded_queue.h"
#include "sheaf/base/error.h"
#include "sheaf/database/database.h"
#include "sheaf/store/local/section_change.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/local/store_records.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::store::local {

/// What goes to the files of a run.
struct DataFiles {
  std::uint64_t bytes = std::uint64_t{256} << 20;  ///< of pages in each
  // Whoever has more than a file of them packs the store next (PageStore::pack), and to compress them before
  // that takes longer than everything else. Only so many, and only where there is plenty of room, since the
  // disk must hold them until then.
  unsigned before_plain = 1;
  unsigned plain = 16;

  /// For the pages of a collection of which so many bytes are known to come.
  static DataFiles of_collection(std::optional<std::uint64_t> bytes) {
    DataFiles files;
    if (bytes.value_or(0) >= kWorthPacking) files.before_plain = 0;
    return files;
  }

  /// By the number of the file, from 0, and how many bytes the disk has left.
  [[nodiscard]] Packing packing_of(unsigned file, std::uint64_t room) const {
    constexpr std::uint64_t kPlenty = 4;  // times what may lie there plain
    if (file < before_plain || file - before_plain >= plain) return Packing::quick;
    return room / kPlenty >= plain * bytes ? Packing::none : Packing::quick;
  }
};

/// Writes the pages of one run before anything refers to them. A few are held in memory and go along with the
/// change that makes them visible; more go to the database in sorted files, under a mark that says so, and
/// are taken away again if nothing comes of it. A thread of its own writes these, and while one file comes to
/// disk it is at the next: where it compresses it has more to do than whoever adds pages, so nobody may let
/// it wait.
class DataWriter {
 public:
  explicit DataWriter(StoreCore& core, const DataFiles& files = {})
      : core_(core), files_(files), run_(core.new_run()) {}
  ~DataWriter();
  DataWriter(const DataWriter&) = delete;
  DataWriter& operator=(const DataWriter&) = delete;

  /// Where it will be. Without the commit mutex, which it takes for itself when there is much.
  base::Result<Place> add(const PageData& data);

  /// Nothing more comes: what goes to files gets there while the caller goes on.
  base::Result<void> close();
  /// Everything is in the database or goes along with the change, which must be committed next. With the
  /// commit mutex held, as for the change.
  base::Result<void> hand_over(SectionChange& change);
  /// The change was committed: the pages stay.
  void keep() { kept_ = true; }

 private:
  /// Some pages one after the other.
  struct Piece {
    std::uint64_t first = 0;  ///< number of the first of them
    std::string bytes;
    std::vector<std::size_t> ends;
  };
  using Queue = base::BoundedQueue<Piece>;

  base::Result<void> add_record(const PageData& data);
  base::Result<void> begin_files();  ///< with the commit mutex
  base::Result<void> send();
  base::Result<void> end_files();

  // On the thread.
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
  std::optional<Queue> queue_;  ///< once there are files
  bool closed_ = false;
  base::Result<void> written_;  ///< how it went on the thread, known when that has ended
  std::optional<Database::SortedFile> file_;
  unsigned begun_ = 0;                       ///< files, so far
  std::future<base::Result<void>> closing_;  ///< of the file before
  bool kept_ = false;
  std::jthread thread_;
};

}  // namespace sheaf::store::local
