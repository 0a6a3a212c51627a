#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::base {

/// Owns a file descriptor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      reset();
      descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  void reset();

 private:
  int descriptor_ = -1;
};

/// Writes all of `bytes`. `name` is used in error messages.
Result<void> write_all(int descriptor, std::string_view bytes, const std::string& name);

/// Syncs the entries of a folder, so that they survive a power loss. Does nothing if the folder may not be
/// read, or its file system cannot sync folders.
Result<void> sync_folder(const std::filesystem::path& folder);

/// Reads up to `out.size()` bytes and returns their number; 0 at the end.
Result<std::size_t> read_some(int descriptor, std::span<char> out, const std::string& name);

/// Writes a file atomically: it appears complete or not at all. Bytes are written to a temporary file in the
/// same folder; commit() syncs and renames it. Without commit(), the destructor removes the temporary file.
/// The destructor does not commit, because that can fail.
class AtomicFile {
 public:
  /// `mode` is limited by the process's umask.
  static Result<AtomicFile> create(const std::filesystem::path& path, unsigned mode = 0666);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  Result<void> write(std::string_view bytes);
  /// Discards everything written so far.
  Result<void> truncate();
  /// Syncs the file, renames it and syncs the folder. Until then the old file stays in place.
  Result<void> commit();
  /// The same, but fails with Errc::already_exists if the file exists.
  Result<void> commit_new();
  /// Commits several files, and syncs each folder once.
  static Result<void> commit_all(std::vector<AtomicFile> files);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  AtomicFile(std::filesystem::path path, std::string temporary, FileDescriptor file);
  Result<void> sync() const;
  Result<void> rename_to_path();

  std::filesystem::path path_;
  std::string temporary_;  ///< empty once committed
  FileDescriptor file_;
  std::uint64_t size_ = 0;
};

/// An unnamed temporary file for data that does not fit in memory: append, then read at any offset. It
/// disappears when closed.
class SpoolFile {
 public:
  /// `folder` should be on a disk with enough room. Empty: the system's folder for temporary files.
  static Result<SpoolFile> create(const std::filesystem::path& folder);

  Result<void> append(std::string_view bytes);
  /// Fills `out` with the bytes at `offset`. Fails if the file is too short.
  Result<void> read_at(std::uint64_t offset, std::span<char> out) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  SpoolFile(FileDescriptor file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

  FileDescriptor file_;
  std::string name_;
  std::uint64_t size_ = 0;
};

/// Creates a folder and its parents if they do not exist. They survive a power loss.
Result<void> make_folder(const std::filesystem::path& folder);

/// Opens a file that was found in a folder, not named by the user. Fails immediately with Errc::io if it is
/// not a regular file; for a named pipe, open_source() would wait for a writer. Otherwise like open_source(),
/// except that "-" is an ordinary name.
Result<std::unique_ptr<ByteSource>> open_regular_file(const std::string& path);

/// Reads up to `limit + 1` bytes of such a file: the extra byte shows the caller that it is longer.
Result<std::string> read_regular_file(const std::string& path, std::uint64_t limit);
/// Reads such a file to its end. Fails with Errc::invalid_data if it is longer than `limit` bytes.
Result<std::string> read_whole_file(const std::string& path, std::uint64_t limit);

/// Removes temporary files that AtomicFile and SpoolFile left in a folder when their process was killed, and
/// returns their number. `is_selected` selects files of AtomicFile by their final name. The caller must
/// ensure that no other process is writing them. Files that cannot be removed are ignored; they only take
/// space.
std::uint64_t remove_leftover_files(const std::filesystem::path& folder,
                                    const std::function<bool(std::string_view name)>& is_selected);

}  // namespace sheaf::base

// Files with secret keys.
namespace sheaf::base {

/// Writes a new file that only its owner can read. Fails with Errc::already_exists instead of replacing a
/// file, because a lost key cannot be restored.
Result<void> write_secret_file(const std::filesystem::path& file, std::string_view bytes);

/// Fails with Errc::refused if other users can access the file. The message says what to do.
Result<void> check_secret_file(const std::filesystem::path& file);

/// A temporary folder, removed with its contents by the destructor.
class ScratchFolder {
 public:
  /// `what` is part of its name, so that a folder left by a killed process can be recognised.
  static Result<ScratchFolder> make(std::string_view what);
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ScratchFolder& operator=(ScratchFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path);

  std::filesystem::path path_;
};

}  // namespace sheaf::base
