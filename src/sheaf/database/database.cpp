#include "sheaf/database/database.h"

#include "sheaf/base/file.h"
#include "sheaf/database/database_internal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <thread>
#include <utility>

#ifdef __SANITIZE_THREAD__
extern "C" void AnnotateIgnoreReadsBegin(const char* file, int line);
extern "C" void AnnotateIgnoreReadsEnd(const char* file, int line);
#endif

namespace sheaf::database {
namespace {

using rocksdb::Slice;

/// The bytes of a slice that RocksDB owns. Debian's RocksDB is not instrumented: ThreadSanitizer does not see
/// that it orders its writes before our reads, and reports a race. In such a build this returns a copy, made
/// while reads are not checked.
std::string_view visible_bytes(const Slice& slice, [[maybe_unused]] std::string& copy) {
#ifdef __SANITIZE_THREAD__
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  copy.assign(slice.data(), slice.size());
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  return copy;
#else
  return to_view(slice);
#endif
}

}  // namespace

std::string end_of_prefix(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xFF) end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

void Database::Impl::close() {
  for (rocksdb::ColumnFamilyHandle* handle : handles)
    db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  handles.clear();
  db.reset();
}

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;
Database::Database(Database&& other) noexcept = default;
Database& Database::operator=(Database&& other) noexcept = default;

namespace {

/// RocksDB has its own lock, but renames and deletes old log files before it takes it: a process that is
/// refused could already have disturbed the one that has the database open.
base::Result<base::FileDescriptor> lock_folder(const std::filesystem::path& folder) {
  base::FileDescriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // On file systems without such locks there is still RocksDB's own.
  if (lock.is_open() && flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return std::unexpected(in_use_error(folder));
  return lock;
}

/// If a snapshot has the number 0, because nothing had been written to the database when it was made, a
/// compaction of RocksDB 7.8 drops all ingested entries: it takes that number for "none". So a new database
/// gets a first write, which deletes nothing.
rocksdb::Status begin_numbering(rocksdb::DB& db) {
  if (db.GetLatestSequenceNumber() > 0) return rocksdb::Status::OK();
  return db.Delete(rocksdb::WriteOptions(), Slice());
}

/// As many files are packed at the same time as there are processors. RocksDB reserves a quarter of its jobs
/// for flushing.
int background_jobs(unsigned processors) {
  const int packing = std::clamp(static_cast<int>(processors), 1, 64);
  return packing + (packing + 2) / 3;
}

}  // namespace

base::Result<Database> Database::open(const std::filesystem::path& folder, Tables tables) {
  SHEAF_TRY(base::make_folder(folder));
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  SHEAF_TRY_ASSIGN(impl->writer_lock, lock_folder(folder));
  impl->guard = std::make_shared<DiskGuard>();
  impl->env = DiskGuard::make_env(impl->guard);
  SHEAF_TRY(impl->open_to_write(tables));
  return Database(std::move(impl));
}

base::Result<Database> Database::create_in_memory() {
  auto impl = std::make_unique<Impl>();
  impl->folder = "/memory";
  impl->env.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  SHEAF_TRY(impl->open_to_write(Tables::main_only));
  return Database(std::move(impl));
}

base::Result<void> Database::Impl::open_to_write(Tables with) {
  rocksdb::DBOptions options = database_options();
  options.env = env.get();
  options.max_background_jobs = background_jobs(std::thread::hardware_concurrency());
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(options, folder.string(), table_descriptors(with), &handles, &opened);
  db.reset(opened);
  SHEAF_TRY(result(status));
  return result(begin_numbering(*db));
}

base::Result<void> Database::Impl::result(const rocksdb::Status& status) const {
  if (guard && guard->has_failed()) return std::unexpected(to_error(guard->status(), folder));
  if (!status.ok()) return std::unexpected(to_error(status, folder));
  return {};
}

base::Result<std::optional<std::string>> Database::Impl::get(std::string_view key, Table table,
                                                             const rocksdb::Snapshot* snapshot) const {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  std::string value;
  const rocksdb::Status status = db->Get(options, handle(table), to_slice(key), &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return std::unexpected(to_error(status, folder));
  return value;
}

base::Result<std::optional<std::string>> Database::get(std::string_view key, Table table) const {
  return impl_->get(key, table, nullptr);
}

struct Database::Batch::Impl {
  rocksdb::WriteBatch batch;
  rocksdb::ColumnFamilyHandle* data = nullptr;

  /// The main table needs no handle.
  [[nodiscard]] rocksdb::ColumnFamilyHandle* handle(Table table) const {
    return table == Table::data ? data : nullptr;
  }
};

Database::Batch::Batch() : impl_(std::make_unique<Impl>()) {}
Database::Batch::Batch(const Database& database) : Batch() {
  if (database.impl_->handles.size() > 1) impl_->data = database.impl_->handle(Table::data);
}
Database::Batch::~Batch() = default;
Database::Batch::Batch(Batch&& other) noexcept = default;
Database::Batch& Database::Batch::operator=(Batch&& other) noexcept = default;

// The batch remembers failures of these calls; Database::write returns them.
void Database::Batch::put(std::string_view key, std::string_view value, Table table) {
  impl_->batch.Put(impl_->handle(table), to_slice(key), to_slice(value)).PermitUncheckedError();
}
void Database::Batch::remove(std::string_view key, Table table) {
  impl_->batch.Delete(impl_->handle(table), to_slice(key)).PermitUncheckedError();
}
void Database::Batch::remove_prefix(std::string_view prefix, Table table) {
  remove_range(prefix, end_of_prefix(prefix), table);
}
void Database::Batch::remove_range(std::string_view begin, std::string_view end, Table table) {
  impl_->batch.DeleteRange(impl_->handle(table), to_slice(begin), to_slice(end)).PermitUncheckedError();
}
std::size_t Database::Batch::bytes() const { return impl_->batch.GetDataSize(); }
bool Database::Batch::empty() const { return impl_->batch.Count() == 0; }
void Database::Batch::clear() { impl_->batch.Clear(); }

base::Result<void> Database::write(Batch& batch, Durability durability) {
  SHEAF_TRY(impl_->result(rocksdb::Status::OK()));  // nothing is written after a failure
  rocksdb::WriteOptions options;
  options.sync = durability == Durability::synced;
  const rocksdb::Status status = impl_->db->Write(options, &batch.impl_->batch);
  batch.clear();
  return impl_->result(status);
}

struct Database::Cursor::Impl {
  std::filesystem::path folder;
  std::string end;
  Slice end_slice;
  std::unique_ptr<rocksdb::Iterator> iterator;
  std::string key_copy, value_copy;  // see visible_bytes()
};

Database::Cursor::Cursor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Cursor::~Cursor() = default;
Database::Cursor::Cursor(Cursor&& other) noexcept = default;
Database::Cursor& Database::Cursor::operator=(Cursor&& other) noexcept = default;

bool Database::Cursor::valid() const { return impl_->iterator->Valid(); }
std::string_view Database::Cursor::key() const {
  return visible_bytes(impl_->iterator->key(), impl_->key_copy);
}
std::string_view Database::Cursor::value() const {
  return visible_bytes(impl_->iterator->value(), impl_->value_copy);
}
void Database::Cursor::next() { impl_->iterator->Next(); }
void Database::Cursor::seek(std::string_view key) { impl_->iterator->Seek(to_slice(key)); }

base::Result<void> Database::Cursor::check() const {
  const rocksdb::Status status = impl_->iterator->status();
  if (!status.ok()) return std::unexpected(to_error(status, impl_->folder));
  return {};
}

Database::Cursor Database::Impl::scan(std::string_view prefix, Table table,
                                      const rocksdb::Snapshot* snapshot) const {
  auto impl = std::make_unique<Cursor::Impl>();
  impl->folder = folder;
  impl->end = end_of_prefix(prefix);
  impl->end_slice = impl->end;
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  if (!impl->end.empty()) options.iterate_upper_bound = &impl->end_slice;
  options.fill_cache = false;  // a full walk must not evict what single reads need
  impl->iterator.reset(db->NewIterator(options, handle(table)));
  impl->iterator->Seek(to_slice(prefix));
  return Cursor(std::move(impl));
}

Database::Cursor Database::scan(std::string_view prefix, Table table) const {
  return impl_->scan(prefix, table, nullptr);
}

struct Database::View::Impl {
  const Database::Impl& database;
  const rocksdb::Snapshot* snapshot;  ///< null for a reader, whose state does not change

  explicit Impl(const Database::Impl& of)
      : database(of), snapshot(of.reads_only ? nullptr : of.db->GetSnapshot()) {}
  ~Impl() {
    if (snapshot != nullptr) database.db->ReleaseSnapshot(snapshot);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
};

Database::View::View(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::View::~View() = default;
Database::View::View(View&& other) noexcept = default;
Database::View& Database::View::operator=(View&& other) noexcept = default;

Database::View Database::view() const { return View(std::make_unique<View::Impl>(*impl_)); }

base::Result<std::optional<std::string>> Database::View::get(std::string_view key, Table table) const {
  return impl_->database.get(key, table, impl_->snapshot);
}

Database::Cursor Database::View::scan(std::string_view prefix, Table table) const {
  return impl_->database.scan(prefix, table, impl_->snapshot);
}

// How one process reads what another writes. RocksDB's own solution, the secondary instance, returns old
// values after the writer has compacted (7.8: entries read from a log hide newer ones in files). So a reader
// opens the files as they are, and opens them again to see more. The result is consistent if no file was
// replaced meanwhile, which the manifest shows: a log is deleted, or a file replaced, only after the manifest
// was updated.

namespace {

// A writer changes the manifest a few times a second at most, and opening takes milliseconds.
constexpr int kTries = 200;
constexpr std::chrono::milliseconds kPause{10};

bool is_missing_table(const rocksdb::Status& status) {
  return status.IsInvalidArgument() && status.ToString().find("Column family not found") != std::string::npos;
}

}  // namespace

DatabaseSignature DatabaseSignature::of(const std::filesystem::path& folder) {
  DatabaseSignature signature;
  std::ifstream current(folder / "CURRENT");
  std::getline(current, signature.manifest);
  if (signature.manifest.empty()) return signature;
  std::error_code error;
  const std::uint64_t bytes = std::filesystem::file_size(folder / signature.manifest, error);
  if (!error) signature.manifest_bytes = bytes;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".log") continue;
    std::error_code gone;
    const std::uint64_t size = entry->file_size(gone);
    if (!gone) signature.log_bytes[entry->path().filename().string()] = size;
  }
  return signature;
}

base::Result<void> Database::Impl::open_to_read() {
  rocksdb::DBOptions options = database_options();
  options.create_if_missing = false;
  options.create_missing_column_families = false;
  options.max_open_files = -1;  // files that the writer deletes stay readable
  for (int i = 0; i < kTries; ++i) {
    if (i > 0) std::this_thread::sleep_for(kPause);
    Impl opened;
    const DatabaseSignature before = DatabaseSignature::of(folder);
    rocksdb::Status status;
    if (!before.manifest.empty()) {
      rocksdb::DB* raw = nullptr;
      status = rocksdb::DB::OpenForReadOnly(options, folder.string(), table_descriptors(tables),
                                            &opened.handles, &raw);
      opened.db.reset(raw);
    }
    if (!before.has_same_manifest(DatabaseSignature::of(folder))) continue;
    // The process that created the database may have been killed before it had created all tables. Then there
    // are no entries yet.
    if (before.manifest.empty() || is_missing_table(status))
      return base::fail(base::Errc::not_found, fmt::format("there is no store in {}", folder.string()));
    if (!status.ok()) return std::unexpected(to_error(status, folder));
    close();
    std::swap(db, opened.db);
    std::swap(handles, opened.handles);
    signature = before;
    return {};
  }
  return base::fail(base::Errc::io,
                    fmt::format("{} changes faster than it can be read; try again", folder.string()));
}

base::Result<Database> Database::open_reader(const std::filesystem::path& folder, Tables tables) {
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  impl->reads_only = true;
  impl->tables = tables;
  SHEAF_TRY(impl->open_to_read());
  return Database(std::move(impl));
}

base::Result<void> Database::catch_up() {
  if (!impl_->reads_only || DatabaseSignature::of(impl_->folder) == impl_->signature) return {};
  return impl_->open_to_read();
}

}  // namespace sheaf::database
