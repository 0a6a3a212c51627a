#pragma once

#include <rocksdb/env.h>
#include <rocksdb/io_status.h>
#include <rocksdb/status.h>

#include <memory>
#include <mutex>

// RocksDB 7.8, as Debian builds it, has its assertions on, and one of them ends the process when a log or a
// manifest is closed after a write to it has failed: on a full disk. So RocksDB does not see such a failure.
// From then on none of its writes reaches the disk, as if the process had been killed: the database opens in
// the state before the write, and Database returns the failure to its callers.
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
