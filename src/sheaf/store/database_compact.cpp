#include "sheaf/store/database_internal.h"

#include <rocksdb/metadata.h>
#include <rocksdb/table_properties.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::store {
namespace {

using rocksdb::BottommostLevelCompaction;

struct KeyRange {
  std::string first;
  std::string last;
  std::uint64_t bytes = 0;  ///< of the files
};

/// The stretches of a table that lie in files as they were taken in, in the order of keys.
std::vector<KeyRange> unpacked_ranges(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& handle) {
  rocksdb::TablePropertiesCollection properties;
  // Without them nothing counts as packed.
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
    if (!packed && beside) {
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
                              BottommostLevelCompaction bottom) {
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = bottom;
  if (range == nullptr) return db.CompactRange(options, &handle, nullptr, nullptr);
  const rocksdb::Slice first = to_slice(range->first);
  const rocksdb::Slice last = to_slice(range->last);
  return db.CompactRange(options, &handle, &first, &last);
}

}  // namespace

std::uint64_t Database::unpacked_bytes(Table table) const {
  std::uint64_t bytes = 0;
  for (const KeyRange& range : unpacked_ranges(*impl_->db, *impl_->handle(table))) bytes += range.bytes;
  return bytes;
}

base::Result<void> Database::compact(Table table) {
  rocksdb::ColumnFamilyHandle& handle = *impl_->handle(table);
  // The main table is small, and all of its files look alike. Of the data what is packed already stays as it
  // is.
  const auto bottom = table == Table::main ? BottommostLevelCompaction::kForceOptimized
                                           : BottommostLevelCompaction::kIfHaveCompactionFilter;
  rocksdb::Status status = compact_range(*impl_->db, handle, nullptr, bottom);
  if (status.ok() && table == Table::data)
    for (const KeyRange& range : unpacked_ranges(*impl_->db, handle)) {
      status = compact_range(*impl_->db, handle, &range, BottommostLevelCompaction::kForceOptimized);
      if (!status.ok()) break;
    }
  if (!status.ok()) return std::unexpected(to_error(status, impl_->folder));
  return {};
}

}  // namespace sheaf::store
