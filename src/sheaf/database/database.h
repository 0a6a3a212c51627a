#pragma once

#include "sheaf/base/error.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// A wrapper around RocksDB, which the local store and publish's catalog use.
//
// RocksDB's types are not visible outside this folder. The wrapper adds to RocksDB: errors as values that
// name the folder; one writing process and any number of reading processes per folder; a full disk that does
// not end the process (DiskGuard); and two kinds of tables, for small records that change and for
// large records that are written once in the order of their keys.
namespace sheaf::database {

/// Whether a write has to be on disk when the call returns. Buffered writes survive the end of the process,
/// and reach the disk in order.
enum class Durability : std::uint8_t { buffered, synced };

/// A database has a main table, and optionally a data table for large values that are read in key order and
/// compressed well. With a data table, the main table is compressed well too.
enum class Table : std::uint8_t { main, data };
enum class Tables : std::uint8_t { main_only, main_and_data };

/// Progress of a compaction, in bytes of files; `total` is 0 until it is known. Called by the thread that
/// called compact(), several times a second; may be empty.
using CompactProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// A range of keys in consecutive files.
struct KeyRange {
  std::string first;
  std::string last;
  std::uint64_t bytes = 0;  ///< size of the files
};

/// Keys and values on disk, sorted by key. One process at a time may have it open for writing, any number for
/// reading. Thread-safe.
class Database {
 public:
  /// Opens the folder for writing; creates it if necessary. Fails with Errc::in_use if another process has it
  /// open for writing, with Errc::invalid_data if it is damaged, or with the error of the disk.
  static base::Result<Database> open(const std::filesystem::path& folder, Tables tables = Tables::main_only);
  /// A new, empty database in memory.
  static base::Result<Database> create_in_memory();
  /// Opens the folder for reading, even while another process writes. The database then shows the current
  /// state until catch_up(). Nothing is written to the folder. Fails with Errc::not_found if there is no
  /// database, otherwise like open().
  static base::Result<Database> open_reader(const std::filesystem::path& folder, Tables tables);
  ~Database();
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;

  [[nodiscard]] base::Result<std::optional<std::string>> get(std::string_view key,
                                                             Table table = Table::main) const;

  /// An atomic set of changes.
  class Batch {
   public:
    Batch();  ///< for the main table only
    explicit Batch(const Database& database);
    ~Batch();
    Batch(Batch&& other) noexcept;
    Batch& operator=(Batch&& other) noexcept;

    void put(std::string_view key, std::string_view value, Table table = Table::main);
    void remove(std::string_view key, Table table = Table::main);
    /// Removes every key with this prefix.
    void remove_prefix(std::string_view prefix, Table table = Table::main);
    /// Removes every key in [begin, end).
    void remove_range(std::string_view begin, std::string_view end, Table table = Table::main);
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] bool empty() const;
    void clear();

   private:
    friend class Database;
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };

  /// Writes the changes and empties the batch.
  base::Result<void> write(Batch& batch, Durability durability);

  /// Iterates over the keys with a prefix, as of the creation of the cursor. Must not outlive the database.
  class Cursor {
   public:
    ~Cursor();
    Cursor(Cursor&& other) noexcept;
    Cursor& operator=(Cursor&& other) noexcept;

    /// Whether the cursor is at an entry; also false after a read error, which check() returns.
    [[nodiscard]] bool valid() const;
    [[nodiscard]] std::string_view key() const;    ///< until next()
    [[nodiscard]] std::string_view value() const;  ///< until next()
    void next();
    /// Moves to the first key that is not before `key`. After a read error, this continues behind the
    /// unreadable entries.
    void seek(std::string_view key);
    [[nodiscard]] base::Result<void> check() const;

   private:
    friend class Database;
    struct Impl;
    explicit Cursor(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
  };

  [[nodiscard]] Cursor scan(std::string_view prefix, Table table = Table::main) const;

  /// A snapshot of the database. Must not outlive the database. In a database opened by open_reader(),
  /// catch_up() invalidates it.
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

  /// In a database opened by open_reader(), shows everything written until now. Invalidates cursors and
  /// views. Must not run concurrently with other calls.
  base::Result<void> catch_up();

  /// A separate file with sorted entries, which the database can ingest. For large amounts this is much
  /// faster than batches.
  class SortedFile {
   public:
    static base::Result<SortedFile> create(const Database& database, Table table,
                                           const std::filesystem::path& path);
    ~SortedFile();  ///< deletes the file, unless it was ingested
    SortedFile(SortedFile&& other) noexcept;
    SortedFile& operator=(SortedFile&& other) noexcept;

    base::Result<void> put(std::string_view key, std::string_view value);
    base::Result<void> remove(std::string_view key);
    [[nodiscard]] std::uint64_t bytes() const;  ///< bytes of the entries before compression
    /// The range of keys and the size on disk of a finished file.
    [[nodiscard]] KeyRange key_range() const;
    /// Completes the file on disk; nothing can be added afterwards. The file must have an entry.
    base::Result<void> finish();

   private:
    friend class Database;
    struct Impl;
    explicit SortedFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
  };
  /// Whether older views may see ingested entries. If that does no harm, allow it: RocksDB then need not
  /// rewrite the files in the background.
  enum class OlderViews : std::uint8_t { unchanged, may_see };
  /// Ingests finished files atomically; they are on disk when this returns. Their key ranges must not
  /// overlap.
  base::Result<void> ingest(std::span<SortedFile> files, OlderViews views = OlderViews::unchanged);

  /// Compresses a table as well as possible. In the data table, only unpacked files are rewritten. The number
  /// of threads does not affect the result.
  base::Result<void> compact(Table table, unsigned threads = 1, const CompactProgress& progress = {});
  /// Compresses the files of the data table that have these keys. If `cancelled` becomes true meanwhile, this
  /// fails, and files that were not packed stay as they were.
  base::Result<void> pack(const KeyRange& range, std::atomic<bool>& cancelled);
  /// Size of the files that compact() would still pack.
  [[nodiscard]] std::uint64_t unpacked_bytes(Table table) const;
  /// Size of all files on disk.
  [[nodiscard]] base::Result<std::uint64_t> disk_bytes() const;

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The first key after all keys that begin with `prefix`; empty if there is none.
std::string end_of_prefix(std::string_view prefix);

}  // namespace sheaf::database
