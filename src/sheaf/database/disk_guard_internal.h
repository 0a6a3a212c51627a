#pragma once

#include <rocksdb/env.h>
#include <rocksdb/io_status.h>
#include <rocksdb/status.h>

#include <memory>
#include <mutex>

// Debian builds RocksDB 7.8 with assertions. One of them ends the process if a log or a manifest is closed
// after a failed write to it, which happens on a full disk. So this guard hides such a failure from RocksDB.
// After it, none of RocksDB's writes reaches the disk, as if the process had been killed: the next opening
// shows the state before the write, and Database returns the failure to its callers.
namespace sheaf::database {

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

}  // namespace sheaf::database
