#include "sheaf/database/database_internal.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <thread>
#include <utility>

// How one process reads what another writes. RocksDB's own solution, the secondary instance, returns old
// values after the writer has compacted (7.8: entries read from a log hide newer ones in files). So a reader
// opens the files as they are, and opens them again to see more. The result is consistent if no file was
// replaced meanwhile, which the manifest shows: a log is deleted, or a file replaced, only after the manifest
// was updated.
namespace sheaf::database {
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
