#include "sheaf/quality/record_spool.h"

#include <algorithm>
#include <cstring>

namespace sheaf::quality {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kReadBytes = std::size_t{64} << 10;
using Size = std::uint32_t;  // each record has a size prefix

Size size_at(std::string_view bytes, std::size_t at) {
  Size size = 0;
  std::memcpy(&size, bytes.data() + at, sizeof size);
  return size;
}

}  // namespace

base::Result<std::uint64_t> RecordSpool::append(std::string_view record) {
  if (record.size() > UINT32_MAX - sizeof(Size))
    return base::fail(base::Errc::invalid_argument, "a record of the quality report is over 4 GiB");
  const std::uint64_t place = end();
  const auto size = static_cast<Size>(record.size());
  buffer_.append(reinterpret_cast<const char*>(&size), sizeof size);
  buffer_ += record;
  ++records_;
  if (buffer_.size() >= kBufferBytes) SHEAF_TRY(flush());
  return place;
}

base::Result<void> RecordSpool::flush() {
  if (!file_) {
    SHEAF_TRY_ASSIGN(auto file, base::SpoolFile::create(folder_));
    file_.emplace(std::move(file));
  }
  SHEAF_TRY(file_->append(buffer_));
  flushed_ += buffer_.size();
  buffer_.clear();
  return {};
}

/// A flush writes whole records, so each record is either in the file or in the buffer.
base::Result<void> RecordSpool::read(std::uint64_t place, std::string& out, std::size_t size) const {
  out.resize(size);
  if (place >= flushed_) {
    const std::size_t from = place - flushed_;
    if (from + size > buffer_.size())
      return base::fail(base::Errc::invalid_argument, "no such record in the quality report");
    std::memcpy(out.data(), buffer_.data() + from, size);
    return {};
  }
  return file_->read_at(place, {out.data(), size});
}

base::Result<std::string> RecordSpool::at(std::uint64_t place) const {
  std::string bytes;
  SHEAF_TRY(read(place, bytes, sizeof(Size)));
  const Size size = size_at(bytes, 0);
  SHEAF_TRY(read(place + sizeof(Size), bytes, size));
  return bytes;
}

base::Result<void> RecordSpool::each(const std::function<base::Result<void>(std::string_view)>& use) const {
  std::string bytes;
  for (std::uint64_t place = 0; place < end();) {
    // A single read must not cross the boundary between the file and the buffer.
    const std::uint64_t stretch_end = place < flushed_ ? flushed_ : end();
    std::size_t count = std::min<std::uint64_t>(stretch_end - place, kReadBytes);
    SHEAF_TRY(read(place, bytes, count));
    if (const std::size_t first = sizeof(Size) + size_at(bytes, 0); first > count) {
      count = first;
      SHEAF_TRY(read(place, bytes, count));
    }
    std::size_t at = 0;
    while (at + sizeof(Size) <= count && at + sizeof(Size) + size_at(bytes, at) <= count) {
      const Size size = size_at(bytes, at);
      SHEAF_TRY(use(std::string_view(bytes).substr(at + sizeof(Size), size)));
      at += sizeof(Size) + size;
    }
    place += at;
  }
  return {};
}

}  // namespace sheaf::quality
