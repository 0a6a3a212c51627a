#include "sheaf/database/database_internal.h"

#include <fmt/format.h>
#include <rocksdb/sst_file_writer.h>

#include <utility>

namespace sheaf::database {
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
