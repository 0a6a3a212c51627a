#include "sheaf/store/database.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include <utility>

namespace sheaf::store {
namespace {

using rocksdb::Slice;

// Enough for the index and filters of millions of entries; the operating system's cache does the rest.
constexpr std::size_t kCacheBytes = std::size_t{32} << 20;
constexpr std::size_t kWriteBufferBytes = std::size_t{16} << 20;
constexpr int kOpenFiles = 256;

Slice slice(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const Slice& slice) { return {slice.data(), slice.size()}; }

base::Error failure(const rocksdb::Status& status, const std::filesystem::path& folder) {
  const std::string reason = status.ToString();
  if (status.IsIOError() && reason.find("LOCK") != std::string::npos)
    return {base::Errc::refused,
            fmt::format("{} is in use by another sheaf; wait for it to end, or give each its own folder",
                        folder.string())};
  if (status.IsNoSpace() || status.subcode() == rocksdb::Status::SubCode::kNoSpace)
    return {base::Errc::no_space, fmt::format("no space left on the disk of {}", folder.string())};
  if (status.IsCorruption())
    return {
        base::Errc::invalid_data,
        fmt::format("{} is damaged ({}); move it away and sheaf makes a new one", folder.string(), reason)};
  return {base::Errc::io, fmt::format("cannot use {}: {}", folder.string(), reason)};
}

rocksdb::Options database_options() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kZSTD;
  options.write_buffer_size = kWriteBufferBytes;
  options.max_open_files = kOpenFiles;
  options.keep_log_file_num = 2;
  options.max_log_file_size = std::size_t{1} << 20;
  options.paranoid_checks = true;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(kCacheBytes);
  table.cache_index_and_filter_blocks = true;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

}  // namespace

std::string end_of_prefix(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xFF) end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

struct Database::Impl {
  std::filesystem::path folder;
  std::unique_ptr<rocksdb::DB> db;
};

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;
Database::Database(Database&& other) noexcept = default;
Database& Database::operator=(Database&& other) noexcept = default;

base::Result<Database> Database::open(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return std::unexpected(
        base::system_error(error.value(), fmt::format("cannot make the folder {}", folder.string())));
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(database_options(), folder.string(), &db);
  auto impl = std::make_unique<Impl>(Impl{folder, std::unique_ptr<rocksdb::DB>(db)});
  if (!status.ok()) return std::unexpected(failure(status, folder));
  return Database(std::move(impl));
}

base::Result<std::optional<std::string>> Database::get(std::string_view key) const {
  std::string value;
  const rocksdb::Status status = impl_->db->Get({}, slice(key), &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return std::unexpected(failure(status, impl_->folder));
  return value;
}

struct Database::Batch::Impl {
  rocksdb::WriteBatch batch;
};

Database::Batch::Batch() : impl_(std::make_unique<Impl>()) {}
Database::Batch::~Batch() = default;
Database::Batch::Batch(Batch&& other) noexcept = default;
Database::Batch& Database::Batch::operator=(Batch&& other) noexcept = default;

// Failures of these are kept by the batch and come out of Database::write.
void Database::Batch::put(std::string_view key, std::string_view value) {
  impl_->batch.Put(slice(key), slice(value)).PermitUncheckedError();
}
void Database::Batch::remove(std::string_view key) { impl_->batch.Delete(slice(key)).PermitUncheckedError(); }
void Database::Batch::remove_prefix(std::string_view prefix) {
  const std::string end = end_of_prefix(prefix);
  impl_->batch.DeleteRange(slice(prefix), slice(end)).PermitUncheckedError();
}
std::size_t Database::Batch::bytes() const { return impl_->batch.GetDataSize(); }
bool Database::Batch::empty() const { return impl_->batch.Count() == 0; }
void Database::Batch::clear() { impl_->batch.Clear(); }

base::Result<void> Database::write(Batch& batch, Durability durability) {
  rocksdb::WriteOptions options;
  options.sync = durability == Durability::synced;
  const rocksdb::Status status = impl_->db->Write(options, &batch.impl_->batch);
  batch.clear();
  if (!status.ok()) return std::unexpected(failure(status, impl_->folder));
  return {};
}

struct Database::Cursor::Impl {
  std::filesystem::path folder;
  std::string end;
  Slice end_slice;
  std::unique_ptr<rocksdb::Iterator> iterator;
};

Database::Cursor::Cursor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Cursor::~Cursor() = default;
Database::Cursor::Cursor(Cursor&& other) noexcept = default;
Database::Cursor& Database::Cursor::operator=(Cursor&& other) noexcept = default;

bool Database::Cursor::valid() const { return impl_->iterator->Valid(); }
std::string_view Database::Cursor::key() const { return view(impl_->iterator->key()); }
std::string_view Database::Cursor::value() const { return view(impl_->iterator->value()); }
void Database::Cursor::next() { impl_->iterator->Next(); }

base::Result<void> Database::Cursor::check() const {
  const rocksdb::Status status = impl_->iterator->status();
  if (!status.ok()) return std::unexpected(failure(status, impl_->folder));
  return {};
}

Database::Cursor Database::scan(std::string_view prefix) const {
  auto impl = std::make_unique<Cursor::Impl>();
  impl->folder = impl_->folder;
  impl->end = end_of_prefix(prefix);
  impl->end_slice = impl->end;
  rocksdb::ReadOptions options;
  if (!impl->end.empty()) options.iterate_upper_bound = &impl->end_slice;
  options.fill_cache = false;  // a walk over everything must not push out what single reads need
  impl->iterator.reset(impl_->db->NewIterator(options));
  impl->iterator->Seek(slice(prefix));
  return Cursor(std::move(impl));
}

}  // namespace sheaf::store
