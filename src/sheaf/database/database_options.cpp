#include "sheaf/base/file.h"
#include "sheaf/database/database_internal.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <cstdarg>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace sheaf::database {
namespace {

// Enough for the index and filters of millions of entries; the operating system's cache does the rest.
constexpr std::size_t kCacheBytes = std::size_t{32} << 20;
constexpr std::size_t kWriteBufferBytes = std::size_t{8} << 20;
constexpr int kOpenFiles = 256;
constexpr int kOverlappingFiles = 16;  // that a lookup may have to check, each with a filter
constexpr int kBackgroundJobs = 2;     // for a reader, which does nothing in the background
// Entries are read one at a time in random order, and each read decompresses a block.
constexpr std::size_t kMainBlockBytes = std::size_t{4} << 10;
constexpr std::size_t kDataBlockBytes = std::size_t{128} << 10;
// Larger than the usual result of packing a unit (kStretchBytes, DataFiles). Otherwise there would be a
// second, small file with its own dictionary.
constexpr std::uint64_t kDataFileBytes = std::uint64_t{64} << 20;
constexpr int kTightLevel = 9;

/// The bottom level is compressed best: each file with its own dictionary, trained on a sample from its
/// start.
void pack_tightly(rocksdb::ColumnFamilyOptions& options, std::uint32_t dictionary, std::uint32_t training,
                  std::uint64_t sampled) {
  options.bottommost_compression = rocksdb::kZSTD;
  auto& how = options.bottommost_compression_opts;
  how.enabled = true;
  how.level = kTightLevel;
  how.max_dict_bytes = dictionary;
  how.zstd_max_train_bytes = training;
  how.max_dict_buffer_bytes = sampled;
}

/// RocksDB has no error code for a lock that is held by another process or by this one, only a message. A
/// lock file that cannot be opened is a different error.
bool is_lock_refusal(const rocksdb::Status& status, std::string_view reason) {
  return status.IsIOError() && (reason.find("While lock file") != std::string_view::npos ||
                                reason.find("lock hold by current process") != std::string_view::npos);
}

}  // namespace

base::Error in_use_error(const std::filesystem::path& folder) {
  return {base::Errc::in_use,
          fmt::format("{} is in use by another sheaf; wait for it to end, or give each its own folder",
                      folder.string())};
}

base::Error to_error(const rocksdb::Status& status, const std::filesystem::path& folder) {
  const std::string reason = status.ToString();
  if (is_lock_refusal(status, reason)) return in_use_error(folder);
  if (status.IsNoSpace() || status.subcode() == rocksdb::Status::SubCode::kNoSpace)
    return {base::Errc::no_space, fmt::format("no space left on the disk of {}", folder.string())};
  if (status.IsCorruption())
    return {base::Errc::invalid_data,
            fmt::format("{} is damaged ({}); move it away, and sheaf creates a new one", folder.string(),
                        reason)};
  return {base::Errc::io, fmt::format("cannot use {}: {}", folder.string(), reason)};
}

namespace {

/// Discards RocksDB's info log. It would end the process if it cannot be written, for example on a full disk,
/// and it has no information that our errors lack.
class NoLog final : public rocksdb::Logger {
 public:
  using Logger::Logv;
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

}  // namespace

rocksdb::DBOptions database_options() {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.max_open_files = kOpenFiles;
  options.max_background_jobs = kBackgroundJobs;
  options.info_log = std::make_shared<NoLog>();
  options.paranoid_checks = true;
  // A log damaged in the middle is an error; by default the rest would be skipped silently.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  return options;
}

rocksdb::ColumnFamilyOptions table_options(Table table) {
  rocksdb::ColumnFamilyOptions options;
  // Twice as fast as zstd level 1, which would slow down applying a collection; packing makes the files
  // smaller later anyway.
  options.compression = rocksdb::kLZ4Compression;
  options.write_buffer_size = kWriteBufferBytes;
  rocksdb::BlockBasedTableOptions blocks;
  // One shard: with the default of 64, each would be smaller than the filter of a million entries, which
  // would then be read from disk for every lookup. Indexes and filters are partitioned for the same reason:
  // the cache keeps only the parts in use.
  blocks.block_cache = rocksdb::NewLRUCache(kCacheBytes, 0);
  blocks.cache_index_and_filter_blocks = true;
  blocks.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  blocks.partition_filters = true;
  blocks.metadata_block_size = kMainBlockBytes;
  if (table == Table::main) {
    blocks.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    blocks.block_size = kMainBlockBytes;
    // A large change adds four files that overlap the whole table. With the default of 4, each change would
    // cause the table to be compressed again.
    options.level0_file_num_compaction_trigger = kOverlappingFiles;
    options.level0_slowdown_writes_trigger = 2 * kOverlappingFiles;
    options.level0_stop_writes_trigger = 3 * kOverlappingFiles;
    pack_tightly(options, 64U << 10, 2U << 20, std::uint64_t{4} << 20);
  } else {
    // No filter: pages are found through the index, so there are no lookups of missing keys.
    blocks.block_size = kDataBlockBytes;
    options.target_file_size_base = kDataFileBytes;
    // A sample of 12 MiB makes files 3 % smaller, but takes 15 % more time and 15 MB more for each thread.
    pack_tightly(options, 256U << 10, 5U << 20, std::uint64_t{5} << 20);
  }
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(blocks));
  return options;
}

rocksdb::Options sorted_file_options(Table table) {
  rocksdb::Options options(database_options(), table_options(table));
  // Ingested files are at the bottom level. Without this, they would be packed tightly while they are
  // written.
  options.bottommost_compression = rocksdb::kDisableCompressionOption;
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> table_descriptors(Tables tables) {
  std::vector<rocksdb::ColumnFamilyDescriptor> all;
  rocksdb::ColumnFamilyOptions main = table_options(Table::main);
  // A database without a data table is the catalog of a publisher. It is rewritten with every run, and
  // packing a million records would take a sixth of the time of publishing them.
  if (tables == Tables::main_only) main.bottommost_compression = rocksdb::kDisableCompressionOption;
  all.emplace_back(rocksdb::kDefaultColumnFamilyName, main);
  if (tables == Tables::main_and_data) all.emplace_back("data", table_options(Table::data));
  return all;
}

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
