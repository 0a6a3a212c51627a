#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::base {

class SpoolFile;

/// A sequential stream of bytes, read once.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills `out` and returns the number of bytes; 0 only at the end (or for an empty `out`).
  virtual Result<std::size_t> read(std::span<char> out) = 0;

  /// The total size if it is known before reading (a regular file, a buffer).
  [[nodiscard]] virtual std::optional<std::uint64_t> size() const = 0;

  /// For messages: a path, or "standard input".
  [[nodiscard]] virtual const std::string& name() const = 0;
};

/// Opens a file for reading; "-" is standard input. Fails if the path is a folder or does not exist. If a
/// regular file becomes shorter while it is read, read() fails instead of reporting the end.
Result<std::unique_ptr<ByteSource>> open_source(const std::string& path);

/// Reads up to `limit + 1` bytes of a source: the extra byte shows the caller that the limit is exceeded.
Result<std::string> read_up_to(ByteSource& source, std::uint64_t limit);

/// Reads a source to its end. Fails with Errc::invalid_data if it is longer than `limit` bytes.
Result<std::string> read_whole(ByteSource& source, std::uint64_t limit);

/// Reads a descriptor from its current offset. The caller still owns it.
std::unique_ptr<ByteSource> descriptor_source(int descriptor, std::string name);

/// Reads a buffer that must outlive the source.
std::unique_ptr<ByteSource> buffer_source(std::string_view bytes, std::string name = "buffer");

/// Reads a spool file from its start. Several sources may read the same file.
std::unique_ptr<ByteSource> spool_source(std::shared_ptr<const SpoolFile> spool, std::string name);

}  // namespace sheaf::base
