#include "sheaf/database/database_internal.h"

#include <fmt/format.h>
#include <rocksdb/metadata.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table_properties.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::database {
namespace {

using rocksdb::BottommostLevelCompaction;

// Bytes of a key range that is packed as a unit: small files are combined, large ones are packed in parallel.
constexpr std::uint64_t kStretchBytes = std::uint64_t{48} << 20;

/// The key ranges of a table that are in unpacked files, sorted.
std::vector<KeyRange> unpacked_ranges(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& handle) {
  rocksdb::TablePropertiesCollection properties;
  // Without properties nothing counts as packed.
  db.GetPropertiesOfAllTables(&handle, &properties).PermitUncheckedError();
  std::set<std::string> packed_files;
  for (const auto& [path, of_file] : properties)
    if (of_file->compression_name == "ZSTD")
      packed_files.insert(std::filesystem::path(path).filename().string());
  std::vector<rocksdb::LiveFileMetaData> files;
  db.GetLiveFilesMetaData(&files);
  std::erase_if(files, [&](const auto& file) { return file.column_family_name != handle.GetName(); });
  std::ranges::sort(files, {}, [](const auto& file) { return file.smallestkey; });
  std::vector<KeyRange> ranges;
  bool beside = false;
  for (const auto& file : files) {
    const bool packed = packed_files.contains(std::filesystem::path(file.name).filename().string());
    if (!packed && beside && ranges.back().bytes < kStretchBytes) {
      ranges.back().last = std::max(ranges.back().last, file.largestkey);
      ranges.back().bytes += file.size;
    } else if (!packed) {
      ranges.push_back({file.smallestkey, file.largestkey, file.size});
    }
    beside = !packed;
  }
  return ranges;
}

rocksdb::Status compact_range(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& handle, const KeyRange* range,
                              BottommostLevelCompaction bottom, std::atomic<bool>* cancelled = nullptr) {
  rocksdb::CompactRangeOptions options;
  options.canceled = cancelled;
  options.bottommost_level_compaction = bottom;
  options.exclusive_manual_compaction = false;
  if (range == nullptr) return db.CompactRange(options, &handle, nullptr, nullptr);
  const rocksdb::Slice first = to_slice(range->first);
  const rocksdb::Slice last = to_slice(range->last);
  return db.CompactRange(options, &handle, &first, &last);
}

/// Packing is bound by the processor, so ranges are packed in parallel. Adds the bytes of finished ranges to
/// `done`.
rocksdb::Status pack_ranges(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& handle,
                            std::span<const KeyRange> ranges, unsigned threads,
                            std::atomic<std::uint64_t>& done) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < ranges.size(); i = next++) {
      const auto status = compact_range(db, handle, &ranges[i], BottommostLevelCompaction::kForceOptimized);
      if (!status.ok()) {
        next = ranges.size();
        return status;
      }
      done += ranges[i].bytes;
    }
    return rocksdb::Status::OK();
  };
  std::vector<std::future<rocksdb::Status>> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, ranges.size()); ++i)
    others.push_back(std::async(std::launch::async | std::launch::deferred, work));
  rocksdb::Status status = work();
  for (auto& other : others)
    if (rocksdb::Status result = other.get(); status.ok()) status = std::move(result);
  return status;
}

/// RocksDB may work for minutes without reporting progress, so another thread does the work and this one
/// reports.
template <class Work, class Report>
rocksdb::Status run_with_progress(const Work& work, const CompactProgress& progress, const Report& report) {
  constexpr std::chrono::milliseconds kBetweenReports{100};
  if (!progress) return work();
  // If no thread can be started, the work is done while get() waits for it.
  auto running = std::async(std::launch::async | std::launch::deferred, work);
  while (running.wait_for(kBetweenReports) == std::future_status::timeout) report();
  rocksdb::Status status = running.get();
  report();
  return status;
}

}  // namespace

std::uint64_t Database::unpacked_bytes(Table table) const {
  std::uint64_t bytes = 0;
  for (const KeyRange& range : unpacked_ranges(*impl_->db, *impl_->handle(table))) bytes += range.bytes;
  return bytes;
}

base::Result<void> Database::pack(const KeyRange& range, std::atomic<bool>& cancelled) {
  return impl_->result(compact_range(*impl_->db, *impl_->handle(Table::data), &range,
                                     BottommostLevelCompaction::kForceOptimized, &cancelled));
}

base::Result<void> Database::compact(Table table, unsigned threads, const CompactProgress& progress) {
  rocksdb::ColumnFamilyHandle& handle = *impl_->handle(table);
  // The main table is small, so all of it is compacted (kForceOptimized may stop at a file that it has just
  // written). Packed files of the data table stay as they are.
  const auto bottom = table == Table::main ? BottommostLevelCompaction::kForce
                                           : BottommostLevelCompaction::kIfHaveCompactionFilter;
  std::atomic<std::uint64_t> done = 0;
  std::atomic<std::uint64_t> total = 0;
  const auto work = [&] {
    rocksdb::Status status = compact_range(*impl_->db, handle, nullptr, bottom);
    if (!status.ok() || table != Table::data) return status;
    const std::vector<KeyRange> ranges = unpacked_ranges(*impl_->db, handle);
    for (const KeyRange& range : ranges) total += range.bytes;
    return pack_ranges(*impl_->db, handle, ranges, threads, done);
  };
  const rocksdb::Status status = run_with_progress(work, progress, [&] { progress(done, total); });
  return impl_->result(status);
}

namespace {

// By default RocksDB drops written data from the page cache repeatedly: that costs a third of the kernel time
// of writing, and the next reader has to read the file from disk.
constexpr bool kDropFromCache = false;

rocksdb::EnvOptions file_options() {
  rocksdb::EnvOptions options;
  // The disk starts to write while the rest is compressed, so that finish() waits less.
  options.bytes_per_sync = std::uint64_t{1} << 20;
  return options;
}

}  // namespace

struct Database::SortedFile::Impl {
  std::filesystem::path folder;  ///< folder of the database, for error messages
  std::filesystem::path path;
  Table table;
  rocksdb::SstFileWriter writer;
  std::uint64_t bytes = 0;
  KeyRange range;  ///< set by finish()
  bool ingested = false;

  Impl(const Database::Impl& database, Table of, std::filesystem::path at)
      : folder(database.folder),
        path(std::move(at)),
        table(of),
        writer(file_options(), sorted_file_options(of), database.handle(of), kDropFromCache) {}
  ~Impl() {
    std::error_code ignored;
    if (!ingested) std::filesystem::remove(path, ignored);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] base::Result<void> result(const rocksdb::Status& status) const {
    if (!status.ok()) return std::unexpected(to_error(status, folder));
    return {};
  }
};

Database::SortedFile::SortedFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::SortedFile::~SortedFile() = default;
Database::SortedFile::SortedFile(SortedFile&& other) noexcept = default;
Database::SortedFile& Database::SortedFile::operator=(SortedFile&& other) noexcept = default;

base::Result<Database::SortedFile> Database::SortedFile::create(const Database& database, Table table,
                                                                const std::filesystem::path& path) {
  auto impl = std::make_unique<Impl>(*database.impl_, table, path);
  SHEAF_TRY(impl->result(impl->writer.Open(path.string())));
  return SortedFile(std::move(impl));
}

base::Result<void> Database::SortedFile::put(std::string_view key, std::string_view value) {
  impl_->bytes += key.size() + value.size();
  return impl_->result(impl_->writer.Put(to_slice(key), to_slice(value)));
}

base::Result<void> Database::SortedFile::remove(std::string_view key) {
  impl_->bytes += key.size();
  return impl_->result(impl_->writer.Delete(to_slice(key)));
}

std::uint64_t Database::SortedFile::bytes() const { return impl_->bytes; }

KeyRange Database::SortedFile::key_range() const { return impl_->range; }

base::Result<void> Database::SortedFile::finish() {
  rocksdb::ExternalSstFileInfo file;
  SHEAF_TRY(impl_->result(impl_->writer.Finish(&file)));
  impl_->range = {file.smallest_key, file.largest_key, file.file_size};
  return {};
}

base::Result<void> Database::ingest(std::span<SortedFile> files, OlderViews views) {
  std::vector<rocksdb::IngestExternalFileArg> arguments;
  for (const SortedFile& file : files) {
    rocksdb::ColumnFamilyHandle* handle = impl_->handle(file.impl_->table);
    auto* argument = !arguments.empty() && arguments.back().column_family == handle
                         ? &arguments.back()
                         : &arguments.emplace_back();
    argument->column_family = handle;
    argument->options.move_files = true;
    argument->options.snapshot_consistency = views == OlderViews::unchanged;
    argument->external_files.push_back(file.impl_->path.string());
  }
  SHEAF_TRY(impl_->result(impl_->db->IngestExternalFiles(arguments)));
  for (SortedFile& file : files) file.impl_->ingested = true;
  return {};
}

base::Result<std::uint64_t> Database::disk_bytes() const {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(impl_->folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;  // deleted by a compaction meanwhile
    const std::uint64_t size = entry->is_regular_file(gone) ? entry->file_size(gone) : 0;
    if (!gone) bytes += size;
  }
  if (error)
    return std::unexpected(
        base::system_error(error.value(), fmt::format("cannot read the folder {}", impl_->folder.string())));
  return bytes;
}

}  // namespace sheaf::database
