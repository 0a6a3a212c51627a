#include "sheaf/base/file.h"
#include "sheaf/database/disk_guard_internal.h"

#include <rocksdb/file_system.h>

#include <filesystem>
#include <string>
#include <utility>

namespace sheaf::database {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

/// The files on which RocksDB must not see a failure.
bool is_log_or_manifest(const std::string& path) {
  const std::filesystem::path name = std::filesystem::path(path).filename();
  return name.extension() == ".log" || name.string().starts_with("MANIFEST-");
}

/// Writes until something fails. After that it drops every byte and reports success.
class GuardedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  GuardedFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::shared_ptr<DiskGuard> guard)
      : FSWritableFileOwnerWrapper(std::move(file)), guard_(std::move(guard)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return guarded([&] { return target()->Append(data, options, debug); });
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& info, IODebugContext* debug) override {
    return guarded([&] { return target()->Append(data, options, info, debug); });
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    return guarded([&] { return target()->Truncate(size, options, debug); });
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return guarded([&] { return target()->Flush(options, debug); });
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return guarded([&] { return target()->Sync(options, debug); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return guarded([&] { return target()->Fsync(options, debug); });
  }
  IOStatus RangeSync(uint64_t offset, uint64_t bytes, const IOOptions& options,
                     IODebugContext* debug) override {
    return guarded([&] { return target()->RangeSync(offset, bytes, options, debug); });
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    // A file is closed in any case.
    if (IOStatus status = target()->Close(options, debug); !status.ok()) guard_->note_failure(status);
    return IOStatus::OK();
  }

 private:
  template <class Call>
  IOStatus guarded(Call call) {
    if (guard_->has_failed()) return IOStatus::OK();
    if (IOStatus status = call(); !status.ok()) guard_->note_failure(status);
    return IOStatus::OK();
  }

  std::shared_ptr<DiskGuard> guard_;
};

/// After a failure, leaves the folder unchanged: the next opening needs the files that RocksDB would replace
/// or delete.
class GuardedFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit GuardedFileSystem(std::shared_ptr<DiskGuard> guard)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), guard_(std::move(guard)) {}

  [[nodiscard]] const char* Name() const override { return "sheaf.GuardedFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) override {
    if (guard_->has_failed()) return failure();
    IOStatus status = target()->NewWritableFile(path, options, file, debug);
    if (status.ok() && is_log_or_manifest(path))
      *file = std::make_unique<GuardedFile>(std::move(*file), guard_);
    return status;
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file,
                              IODebugContext* debug) override {
    if (guard_->has_failed()) return failure();
    IOStatus status = target()->ReopenWritableFile(path, options, file, debug);
    if (status.ok() && is_log_or_manifest(path))
      *file = std::make_unique<GuardedFile>(std::move(*file), guard_);
    return status;
  }
  /// A recycled log would contain old entries; RocksDB creates a new one instead.
  IOStatus ReuseWritableFile(const std::string&, const std::string&, const FileOptions&,
                             std::unique_ptr<rocksdb::FSWritableFile>*, IODebugContext*) override {
    return IOStatus::NotSupported("logs are not reused");
  }
  /// RocksDB syncs the folder only after CURRENT has its new content. A file system that does not keep the
  /// order of changes could then, after a power loss, have that content but not the manifest that it names,
  /// or not the tables that this manifest names. So the folder is synced before as well.
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    if (guard_->has_failed()) return failure();
    const std::filesystem::path path(to);
    if (path.filename() == "CURRENT")
      if (const auto synced = base::sync_folder(path.parent_path()); !synced)
        return IOStatus::IOError(synced.error().message);
    return target()->RenameFile(from, to, options, debug);
  }
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                    IODebugContext* debug) override {
    if (guard_->has_failed()) return failure();
    return target()->LinkFile(from, to, options, debug);
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    return guard_->has_failed() ? IOStatus::OK() : target()->DeleteFile(path, options, debug);
  }
  IOStatus Truncate(const std::string& path, size_t size, const IOOptions& options,
                    IODebugContext* debug) override {
    if (guard_->has_failed()) return failure();
    return target()->Truncate(path, size, options, debug);
  }

 private:
  static IOStatus failure() { return IOStatus::IOError("the disk failed before"); }

  std::shared_ptr<DiskGuard> guard_;
};

}  // namespace

rocksdb::Status DiskGuard::status() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void DiskGuard::note_failure(const rocksdb::IOStatus& failure) {
  const std::lock_guard lock(mutex_);
  if (failure_.ok()) failure_ = failure;
}

bool DiskGuard::has_failed() const {
  const std::lock_guard lock(mutex_);
  return !failure_.ok();
}

std::unique_ptr<rocksdb::Env> DiskGuard::make_env(const std::shared_ptr<DiskGuard>& guard) {
  return rocksdb::NewCompositeEnv(std::make_shared<GuardedFileSystem>(guard));
}

}  // namespace sheaf::database
