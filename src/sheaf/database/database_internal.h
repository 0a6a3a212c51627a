#pragma once

#include "sheaf/base/file.h"
#include "sheaf/database/database.h"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/io_status.h>
#include <rocksdb/options.h>
#include <rocksdb/status.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

// RocksDB's types, for the sources of this folder.
namespace sheaf::database {

// Debian builds RocksDB 7.8 with assertions. One of them ends the process if a log or a manifest is closed
// after a failed write to it, which happens on a full disk. So this guard hides such a failure from RocksDB.
// After it, none of RocksDB's writes reaches the disk, as if the process had been killed: the next opening
// shows the state before the write, and Database returns the failure to its callers.

/// State of the disk under one open database.
class DiskGuard {
 public:
  /// OK, or the first failure of a log or manifest. After it every operation of the database fails.
  [[nodiscard]] rocksdb::Status status() const;
  void note_failure(const rocksdb::IOStatus& failure);
  [[nodiscard]] bool has_failed() const;

  /// The default file system, wrapped by this guard.
  static std::unique_ptr<rocksdb::Env> make_env(const std::shared_ptr<DiskGuard>& guard);

 private:
  mutable std::mutex mutex_;
  rocksdb::IOStatus failure_;
};

inline rocksdb::Slice to_slice(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view to_view(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

/// The error for a folder that another process has open for writing.
base::Error in_use_error(const std::filesystem::path& folder);
base::Error to_error(const rocksdb::Status& status, const std::filesystem::path& folder);

rocksdb::DBOptions database_options();
rocksdb::ColumnFamilyOptions table_options(Table table);
/// For files written outside the database, with fast compression.
rocksdb::Options sorted_file_options(Table table);
std::vector<rocksdb::ColumnFamilyDescriptor> table_descriptors(Tables tables);

/// Detects changes of a database: the manifest lists every file, and the newest entries are in the logs.
struct DatabaseSignature {
  std::string manifest;
  std::uint64_t manifest_bytes = 0;
  std::map<std::string, std::uint64_t> log_bytes;

  /// The current signature of the folder; empty if there is no database.
  static DatabaseSignature of(const std::filesystem::path& folder);
  [[nodiscard]] bool has_same_manifest(const DatabaseSignature& other) const {
    return manifest == other.manifest && manifest_bytes == other.manifest_bytes;
  }
  friend bool operator==(const DatabaseSignature&, const DatabaseSignature&) = default;
};

struct Database::Impl {
  std::filesystem::path folder;
  /// Declared before `db`, so that it is released after the database was closed.
  base::FileDescriptor writer_lock;
  // Both outlive the database. A reader has no guard: it writes nothing.
  std::shared_ptr<DiskGuard> guard;
  std::unique_ptr<rocksdb::Env> env;
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  bool reads_only = false;
  Tables tables = Tables::main_only;
  DatabaseSignature signature;  ///< signature of the state that a reader shows

  Impl() = default;
  ~Impl() { close(); }
  void close();
  base::Result<void> open_to_write(Tables with);
  /// Opens the current state for reading; on failure, the former state stays open.
  base::Result<void> open_to_read();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  /// The result of a write, including failures of the log that RocksDB does not see.
  [[nodiscard]] base::Result<void> result(const rocksdb::Status& status) const;

  [[nodiscard]] rocksdb::ColumnFamilyHandle* handle(Table table) const {
    return handles.at(static_cast<std::size_t>(table));
  }
  [[nodiscard]] base::Result<std::optional<std::string>> get(std::string_view key, Table table,
                                                             const rocksdb::Snapshot* snapshot) const;
  [[nodiscard]] Cursor scan(std::string_view prefix, Table table, const rocksdb::Snapshot* snapshot) const;
};

}  // namespace sheaf::database
