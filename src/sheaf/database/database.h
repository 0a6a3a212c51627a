#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// RocksDB for the rest of sheaf: the local store and publish's catalog are made of it.
//
// Nothing outside this folder sees a type of RocksDB. What it adds to RocksDB: errors as values with the
// folder's name in them, one writer and any number of reading processes on one folder, a disk that fills up
// without ending the process (disk_guard_internal.h), and the two forms of data that its users need, small
// records that change and large ones that are written once in the order of their keys.
namespace sheaf::database {

/// Whether a write has to be on disk when the call returns. Buffered writes survive the end of the process,
/// and come to disk in order.
enum class Durability : std::uint8_t { buffered, synced };

/// A database has one table, or a second one for large values that are read in the order of their keys and
/// packed tightly.
enum class Table : std::uint8_t { main, data };
enum class Tables : std::uint8_t { main_only, main_and_data };

/// How a file that is taken in is compressed, until compact() packs it.
enum class Packing : std::uint8_t { none, quick };

/// How far a compaction is, in bytes of files; `total` is 0 until it is known. Called by the thread that
/// called compact(), several times a second; may be empty.
using CompactProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Keys and values on disk, sorted by key. One process may have it open for writing at a time, any number for
/// reading; within a process any thread may call.
class Database {
 public:
  /// Opens the folder, which is made if it is not there. Errors: in_use while another process has it open,
  /// invalid_data when it is damaged, or a failure of the disk.
  static base::Result<Database> open(const std::filesystem::path& folder, Tables tables = Tables::main_only);
  /// Opens it for reading, beside whoever writes. It shows what was written by then, until catch_up().
  /// Nothing is written to the folder. Errors: not_found where there is none, else as above.
  static base::Result<Database> open_reader(const std::filesystem::path& folder, Tables tables);
  ~Database();
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;

  [[nodiscard]] base::Result<std::optional<std::string>> get(std::string_view key,
                                                             Table table = Table::main) const;

  /// Changes that are made all together or not at all.
  class Batch {
   public:
    Batch();  ///< for the main table alone
    explicit Batch(const Database& database);
    ~Batch();
    Batch(Batch&& other) noexcept;
    Batch& operator=(Batch&& other) noexcept;

    void put(std::string_view key, std::string_view value, Table table = Table::main);
    void remove(std::string_view key, Table table = Table::main);
    /// Every key that begins so.
    void remove_prefix(std::string_view prefix, Table table = Table::main);
    /// Every key from `begin` on that comes before `end`.
    void remove_range(std::string_view begin, std::string_view end, Table table = Table::main);
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] bool empty() const;
    void clear();

   private:
    friend class Database;
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };

  /// Makes the changes and empties the batch.
  base::Result<void> write(Batch& batch, Durability durability);

  /// Walks over the keys that begin so, as they are when it is made. It must not outlive the database.
  class Cursor {
   public:
    ~Cursor();
    Cursor(Cursor&& other) noexcept;
    Cursor& operator=(Cursor&& other) noexcept;

    /// Whether there is an entry; also false when reading failed, which check() then says.
    [[nodiscard]] bool valid() const;
    [[nodiscard]] std::string_view key() const;    ///< until next()
    [[nodiscard]] std::string_view value() const;  ///< until next()
    void next();
    /// To the first key that is not before this one; also after a failure, to go on behind it.
    void seek(std::string_view key);
    [[nodiscard]] base::Result<void> check() const;

   private:
    friend class Database;
    struct Impl;
    explicit Cursor(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
  };

  [[nodiscard]] Cursor scan(std::string_view prefix, Table table = Table::main) const;

  /// The database as it was when the view was made, whatever is written since. It must not outlive the
  /// database; of one opened by open_reader it ends with catch_up().
  class View {
   public:
    ~View();
    View(View&& other) noexcept;
    View& operator=(View&& other) noexcept;

    [[nodiscard]] base::Result<std::optional<std::string>> get(std::string_view key,
                                                               Table table = Table::main) const;
    [[nodiscard]] Cursor scan(std::string_view prefix, Table table = Table::main) const;

   private:
    friend class Database;
    struct Impl;
    explicit View(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
  };
  [[nodiscard]] View view() const;

  /// Of a database opened by open_reader: shows everything that has been written by now. Cursors and views
  /// end with it, and nobody may read meanwhile.
  base::Result<void> catch_up();

  /// Entries in the order of their keys, written to a file of their own that the database then takes in as it
  /// is. Much quicker than batches for large amounts.
  class SortedFile {
   public:
    static base::Result<SortedFile> create(const Database& database, Table table,
                                           const std::filesystem::path& path,
                                           Packing packing = Packing::quick);
    ~SortedFile();  ///< takes the file away, unless it was taken in
    SortedFile(SortedFile&& other) noexcept;
    SortedFile& operator=(SortedFile&& other) noexcept;

    base::Result<void> put(std::string_view key, std::string_view value);
    base::Result<void> remove(std::string_view key);
    [[nodiscard]] std::uint64_t bytes() const;  ///< before compression
    /// Nothing can be added any more; it is on disk. A file without entries cannot be finished.
    base::Result<void> finish();

   private:
    friend class Database;
    struct Impl;
    explicit SortedFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
  };
  /// Whether views that were made before may see what is taken in. Where it does no harm, they may: files
  /// stay as they are then, and are not rewritten in the background.
  enum class OlderViews : std::uint8_t { unchanged, may_see };
  /// Takes in finished files, which must not overlap, all at once or not at all; on disk when it returns.
  base::Result<void> ingest(std::span<SortedFile> files, OlderViews views = OlderViews::unchanged);

  /// Makes a table as small as it gets. Of the data table only what is not yet packed is rewritten.
  base::Result<void> compact(Table table, const CompactProgress& progress = {});
  /// Of the files that compact() would still pack tighter.
  [[nodiscard]] std::uint64_t unpacked_bytes(Table table) const;
  /// Of the files on disk.
  [[nodiscard]] base::Result<std::uint64_t> disk_bytes() const;

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The first key after all that begin with `prefix`; empty if there is none.
std::string end_of_prefix(std::string_view prefix);

}  // namespace sheaf::database
