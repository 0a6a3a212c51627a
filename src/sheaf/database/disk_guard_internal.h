#pragma once

#include <rocksdb/env.h>
#include <rocksdb/io_status.h>
#include <rocksdb/status.h>

#include <memory>
#include <mutex>

// RocksDB 7.8, as Debian builds it, has its assertions on, and one of them ends the process when a log or a
// manifest is closed after a write to it has failed: on a full disk. So RocksDB is never told of such a
// failure. From that moment on nothing it does reaches the disk any more, as if the process had been killed,
// which leaves a database that opens as it was before the write; and Database gives the failure to its
// callers.
namespace sheaf::database {

/// How the disk under one open database is.
class DiskGuard {
 public:
  /// OK, or the first failure of a log or manifest. After that every operation of the database has failed.
  [[nodiscard]] rocksdb::Status status() const;
  void note_failure(const rocksdb::IOStatus& failure);
  [[nodiscard]] bool has_failed() const;

  /// The default file system behind this guard.
  static std::unique_ptr<rocksdb::Env> make_env(const std::shared_ptr<DiskGuard>& guard);

 private:
  mutable std::mutex mutex_;
  rocksdb::IOStatus failure_;
};

}  // namespace sheaf::database
