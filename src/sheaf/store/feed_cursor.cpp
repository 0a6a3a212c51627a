#include "sheaf/store/feed_cursor.h"

#include "sheaf/base/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>

namespace sheaf::store {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::string_view kTokenDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr char kTokenMark = 'c';
constexpr unsigned kBitsPerDigit = 6;
constexpr std::uint64_t kCheckModulus = 65'521;

/// A checksum that detects truncated and mistyped tokens. It need not prevent forgery: clients may choose any
/// position.
std::uint64_t check_of(const std::vector<std::uint64_t>& parts) {
  std::uint64_t check = 1;
  for (const std::uint64_t part : parts) check = (check * 31 + part % kCheckModulus + 7) % kCheckModulus;
  return check;
}

std::string to_digits(std::string_view bytes) {
  std::string text;
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char byte : bytes) {
    held = held << 8U | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= kBitsPerDigit; bits -= kBitsPerDigit)
      text += kTokenDigits[held >> (bits - kBitsPerDigit) & 63U];
  }
  if (bits > 0) text += kTokenDigits[held << (kBitsPerDigit - bits) & 63U];
  return text;
}

/// Returns nullopt if `text` has a character that is not in kTokenDigits.
std::optional<std::string> from_digits(std::string_view text) {
  std::string bytes;
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char digit : text) {
    const std::size_t value = kTokenDigits.find(digit);
    if (value == std::string_view::npos) return std::nullopt;
    held = held << kBitsPerDigit | static_cast<std::uint32_t>(value);
    bits += kBitsPerDigit;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 255U);
  }
  return bytes;
}

/// In a small store, most parts have no changes. So a run of zeros is written as a zero and its length.
std::string encode_parts(const std::vector<std::uint64_t>& parts) {
  base::RecordWriter record;
  record.number(parts.size()).number(check_of(parts));
  for (std::size_t i = 0; i < parts.size();) {
    record.number(parts[i]);
    if (parts[i] != 0) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < parts.size() && parts[end] == 0) ++end;
    record.number(end - i);
    i = end;
  }
  return record.bytes();
}

std::optional<std::vector<std::uint64_t>> decode_parts(std::string_view bytes) {
  base::RecordReader record(bytes);
  const std::uint64_t count = record.number();
  const std::uint64_t check = record.number();
  if (count < 2 || count > FeedCursor::kMaxParts) return std::nullopt;
  std::vector<std::uint64_t> parts;
  while (parts.size() < count && record.good_so_far()) {
    const std::uint64_t number = record.number();
    const std::uint64_t times = number == 0 ? record.number() : 1;
    if (times == 0 || times > count - parts.size()) return std::nullopt;
    parts.insert(parts.end(), times, number);
  }
  if (!record.good() || check_of(parts) != check) return std::nullopt;
  return parts;
}

}  // namespace

FeedCursor::FeedCursor(std::vector<std::uint64_t> parts) : parts_(std::move(parts)) {
  if (parts_.empty()) parts_ = {0};
}

bool FeedCursor::is_start() const {
  return std::ranges::all_of(parts_, [](std::uint64_t part) { return part == 0; });
}

std::uint64_t FeedCursor::total() const {
  return std::accumulate(parts_.begin(), parts_.end(), std::uint64_t{0});
}

void FeedCursor::advance(std::size_t part, std::uint64_t number, std::size_t parts) {
  parts_.resize(std::max({parts_.size(), parts, part + 1}));
  parts_[part] = std::max(parts_[part], number);
}

std::string FeedCursor::text() const {
  if (parts_.size() == 1) return fmt::format("{}", parts_[0]);
  return kTokenMark + to_digits(encode_parts(parts_));
}

std::string FeedCursor::json() const { return parts_.size() == 1 ? text() : fmt::format("\"{}\"", text()); }

Result<FeedCursor> FeedCursor::parse(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return FeedCursor(number);
  if (text.starts_with(kTokenMark))
    if (const auto bytes = from_digits(text.substr(1)))
      if (auto parts = decode_parts(*bytes)) return FeedCursor(std::move(*parts));
  return fail(Errc::invalid_argument,
              fmt::format("\"{}\" is not a position in a change feed: give the number of a change, or for a "
                          "shared store the whole cursor that was printed",
                          text.substr(0, 80)));
}

}  // namespace sheaf::store
