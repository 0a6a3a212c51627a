#pragma once

#include "sheaf/base/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::store {

/// Writes the fields of a database record one after the other: numbers in as many bytes as they need, texts
/// with their size before them. What reads it must ask in the same order.
class RecordWriter {
 public:
  RecordWriter() : bytes_(own_) {}
  /// Appends to a text of the caller's, which may have room from the record before.
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
  /// Small values of either sign stay short.
  RecordWriter& signed_number(std::int64_t value) {
    return number((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63U));
  }
  RecordWriter& time(base::Instant value) { return signed_number(value.seconds).number(value.nanoseconds); }
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

/// Reads them back. After the first field that is not there everything is empty, and good() says so at the
/// end: a record from a damaged or newer database is noticed, never trusted.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number();
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
  }
  base::Instant time() {
    base::Instant value;
    value.seconds = signed_number();
    value.nanoseconds = static_cast<std::uint32_t>(number());
    return value;
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
  /// Every field was there, and nothing more.
  [[nodiscard]] bool good() const { return good_ && rest_.empty(); }
  /// Every field was there so far.
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

}  // namespace sheaf::store
