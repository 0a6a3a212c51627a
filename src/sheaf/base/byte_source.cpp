#include "sheaf/base/byte_source.h"

#include "sheaf/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace sheaf::base {
namespace {

class DescriptorSource final : public ByteSource {
 public:
  DescriptorSource(FileDescriptor owned, int descriptor, std::string name, std::optional<std::uint64_t> size)
      : owned_(std::move(owned)), descriptor_(descriptor), name_(std::move(name)), size_(size) {}

  Result<std::size_t> read(std::span<char> out) override {
    SHEAF_TRY_ASSIGN(const std::size_t count, read_some(descriptor_, out, name_));
    done_ += count;
    if (count == 0 && !out.empty() && size_ && done_ < *size_)
      return fail(Errc::io, fmt::format("{} shrank while it was read: expected {} bytes, got {}", name_,
                                        *size_, done_));
    return count;
  }

  [[nodiscard]] std::optional<std::uint64_t> size() const override { return size_; }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  FileDescriptor owned_;  ///< only if we opened it ourselves
  int descriptor_;
  std::string name_;
  std::optional<std::uint64_t> size_;
  std::uint64_t done_ = 0;
};

class BufferSource final : public ByteSource {
 public:
  BufferSource(std::string_view bytes, std::string name)
      : rest_(bytes), size_(bytes.size()), name_(std::move(name)) {}

  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t count = std::min(out.size(), rest_.size());
    if (count > 0) std::memcpy(out.data(), rest_.data(), count);
    rest_.remove_prefix(count);
    return count;
  }

  [[nodiscard]] std::optional<std::uint64_t> size() const override { return size_; }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::string_view rest_;
  std::uint64_t size_;
  std::string name_;
};

class SpoolSource final : public ByteSource {
 public:
  SpoolSource(std::shared_ptr<const SpoolFile> spool, std::string name)
      : spool_(std::move(spool)), name_(std::move(name)) {}

  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t count = std::min<std::uint64_t>(out.size(), spool_->size() - done_);
    SHEAF_TRY(spool_->read_at(done_, out.first(count)));
    done_ += count;
    return count;
  }

  [[nodiscard]] std::optional<std::uint64_t> size() const override { return spool_->size(); }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::shared_ptr<const SpoolFile> spool_;
  std::string name_;
  std::uint64_t done_ = 0;
};

/// Bytes of a regular file after the current offset; nullopt for pipes and devices.
std::optional<std::uint64_t> remaining_size(int descriptor, const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  const off_t position = lseek(descriptor, 0, SEEK_CUR);
  if (position < 0 || position > status.st_size) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size - position);
}

enum class Wanted : std::uint8_t { any, regular_file };

Result<std::unique_ptr<ByteSource>> open_path(const std::string& path, Wanted wanted) {
  // Without O_NONBLOCK, opening a named pipe blocks until there is a writer. Regular files ignore the flag.
  const int flags = O_RDONLY | O_CLOEXEC | (wanted == Wanted::regular_file ? O_NONBLOCK | O_NOCTTY : 0);
  FileDescriptor file(open(path.c_str(), flags));
  if (!file.is_open()) return std::unexpected(system_error(errno, "cannot open " + path));
  struct stat status{};
  if (fstat(file.get(), &status) != 0) return std::unexpected(system_error(errno, "cannot read " + path));
  if (S_ISDIR(status.st_mode))
    return fail(Errc::is_a_directory, path + " is a folder; name a collection file in it");
  if (wanted == Wanted::regular_file && !S_ISREG(status.st_mode))
    return fail(Errc::io, path + " is not a regular file, but a pipe, a socket or a device");
  const int descriptor = file.get();
  // The kernel reads further ahead if it knows that access is sequential. Failure does not matter.
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::make_unique<DescriptorSource>(std::move(file), descriptor, path,
                                            remaining_size(descriptor, status));
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path) {
  if (path == "-") return descriptor_source(STDIN_FILENO, "standard input");
  return open_path(path, Wanted::any);
}

Result<std::unique_ptr<ByteSource>> open_regular_file(const std::string& path) {
  return open_path(path, Wanted::regular_file);
}

std::unique_ptr<ByteSource> descriptor_source(int descriptor, std::string name) {
  struct stat status{};
  std::optional<std::uint64_t> size;
  if (fstat(descriptor, &status) == 0) size = remaining_size(descriptor, status);
  return std::make_unique<DescriptorSource>(FileDescriptor(), descriptor, std::move(name), size);
}

std::unique_ptr<ByteSource> buffer_source(std::string_view bytes, std::string name) {
  return std::make_unique<BufferSource>(bytes, std::move(name));
}

std::unique_ptr<ByteSource> spool_source(std::shared_ptr<const SpoolFile> spool, std::string name) {
  return std::make_unique<SpoolSource>(std::move(spool), std::move(name));
}

Result<std::string> read_up_to(ByteSource& source, std::uint64_t limit) {
  std::string bytes;
  std::array<char, std::size_t{1} << 16U> buffer;
  while (bytes.size() <= limit) {
    const std::size_t wanted = std::min<std::uint64_t>(buffer.size(), limit + 1 - bytes.size());
    SHEAF_TRY_ASSIGN(const std::size_t count, source.read(std::span(buffer).first(wanted)));
    if (count == 0) break;
    bytes.append(buffer.data(), count);
  }
  return bytes;
}

Result<std::string> read_whole(ByteSource& source, std::uint64_t limit) {
  SHEAF_TRY_ASSIGN(std::string bytes, read_up_to(source, limit));
  if (bytes.size() > limit)
    return fail(Errc::invalid_data, fmt::format("{} is longer than {} bytes", source.name(), limit));
  return bytes;
}

Result<std::string> read_regular_file(const std::string& path, std::uint64_t limit) {
  SHEAF_TRY_ASSIGN(const auto source, open_regular_file(path));
  return read_up_to(*source, limit);
}

Result<std::string> read_whole_file(const std::string& path, std::uint64_t limit) {
  SHEAF_TRY_ASSIGN(const auto source, open_regular_file(path));
  return read_whole(*source, limit);
}

}  // namespace sheaf::base
