#pragma once

#include <sheaf/time.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

/// Writes the fields of a record one after the other: numbers as varints (7 bits per byte, low bits first),
/// texts with a size prefix. Field names and types are not stored, which keeps millions of small records
/// small. So RecordReader must read the fields in the same order. A record whose fields may change begins
/// with a version number, or gets new fields at its end.
class RecordWriter {
 public:
  RecordWriter() : bytes_(own_) {}
  /// Appends to `out`, so that a caller with many records can reuse its memory.
  explicit RecordWriter(std::string& out) : bytes_(out) {}
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  RecordWriter& number(std::uint64_t value) {
    std::array<char, 10> digits{};
    std::size_t size = 0;
    for (; value >= 0x80; value >>= 7U) digits[size++] = static_cast<char>(value | 0x80U);
    digits[size++] = static_cast<char>(value);
    bytes_.append(digits.data(), size);
    return *this;
  }
  /// Zigzag encoding, so that small values of either sign are short.
  RecordWriter& signed_number(std::int64_t value) {
    return number((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63U));
  }
  RecordWriter& time(Instant value) { return signed_number(value.seconds).number(value.nanoseconds); }
  RecordWriter& optional_time(const std::optional<Instant>& value) {
    number(value ? 1 : 0);
    return value ? time(*value) : *this;
  }
  RecordWriter& text(std::string_view value) {
    number(value.size());
    bytes_ += value;
    return *this;
  }
  template <std::size_t Size>
  RecordWriter& digest(const std::array<std::uint8_t, Size>& value) {
    bytes_.append(reinterpret_cast<const char*>(value.data()), Size);
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string own_;
  std::string& bytes_;
};

/// Reads the fields of a record. After the first missing field, every further field is zero or empty and
/// good() is false. So a caller can read all fields and check once; that also detects damaged and newer
/// records. Returned views point into the bytes given to the constructor.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number();
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
  }
  Instant time() {
    Instant value;
    value.seconds = signed_number();
    value.nanoseconds = static_cast<std::uint32_t>(number());
    return value;
  }
  std::optional<Instant> optional_time() {
    if (number() == 0) return std::nullopt;
    return time();
  }
  std::string_view text() {
    const std::uint64_t size = number();
    if (size > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }
  template <std::size_t Size>
  std::array<std::uint8_t, Size> digest() {
    std::array<std::uint8_t, Size> value{};
    if (rest_.size() < Size) {
      fail();
      return value;
    }
    std::memcpy(value.data(), rest_.data(), Size);
    rest_.remove_prefix(Size);
    return value;
  }
  /// The bytes of the fields that were not read yet.
  [[nodiscard]] std::string_view rest() const { return rest_; }
  /// Whether all fields were present and no bytes follow.
  [[nodiscard]] bool good() const { return good_ && rest_.empty(); }
  /// Whether more fields follow. For fields that older records lack.
  [[nodiscard]] bool has_more() const { return good_ && !rest_.empty(); }
  /// Whether all fields read so far were present.
  [[nodiscard]] bool good_so_far() const { return good_; }

 private:
  std::uint64_t fail() {
    good_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace sheaf::base
