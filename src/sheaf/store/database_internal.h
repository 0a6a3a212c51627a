#pragma once

#include "sheaf/store/database.h"

#include <rocksdb/db.h>
#include <rocksdb/options.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

// RocksDB's types, for the files that make up Database.
namespace sheaf::store {

inline rocksdb::Slice to_slice(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view to_view(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

base::Error to_error(const rocksdb::Status& status, const std::filesystem::path& folder);

rocksdb::DBOptions database_options();
rocksdb::ColumnFamilyOptions table_options(Table table);

/// Removes a folder and what is in it at the end.
struct ScratchFolder {
  std::filesystem::path path;

  ScratchFolder() = default;
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
};

struct Database::Impl {
  std::filesystem::path folder;
  ScratchFolder scratch;  ///< of a reader; before `db`, which writes its log there to the last
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  bool reads_only = false;

  Impl() = default;
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] rocksdb::ColumnFamilyHandle* handle(Table table) const {
    return handles.at(static_cast<std::size_t>(table));
  }
  [[nodiscard]] base::Result<std::optional<std::string>> get(std::string_view key, Table table,
                                                             const rocksdb::Snapshot* snapshot) const;
  [[nodiscard]] Cursor scan(std::string_view prefix, Table table, const rocksdb::Snapshot* snapshot) const;
};

}  // namespace sheaf::store
