#pragma once

#include "sheaf/encoding/encoding.h"
#include "sheaf/encoding/encoding_index.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// The decoders of the Encoding Standard, one function each. Each takes the whole input at once, so what the
// standard calls "restoring" a byte means not to consume it. Errors are written as U+FFFD.
namespace sheaf::encoding {

/// Number of ASCII bytes at the start of [begin, end).
inline std::size_t ascii_prefix(const char* begin, const char* end) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  const char* p = begin;
  while (end - p >= 16) {
    std::uint64_t words[2];
    std::memcpy(words, p, sizeof words);
    if (((words[0] | words[1]) & kHighBits) != 0) break;
    p += 16;
  }
  while (p != end && static_cast<unsigned char>(*p) < 0x80) ++p;
  return static_cast<std::size_t>(p - begin);
}

/// Writes code points to a string as UTF-8 and records whether there was malformed input. Until finish(), the
/// string is longer than its content.
class Utf8Writer {
 public:
  Utf8Writer(std::string& out, std::size_t expected) : out_(out) {
    out_.resize(std::max(expected, kMargin));
    place(0);
  }
  Utf8Writer(const Utf8Writer&) = delete;
  Utf8Writer& operator=(const Utf8Writer&) = delete;

  /// Copies the ASCII bytes at the start of [begin, end) and returns their end.
  const char* append_ascii(const char* begin, const char* end) {
    const std::size_t count = ascii_prefix(begin, end);
    append({begin, count});
    return begin + count;
  }
  void put(char32_t c) {
    if (limit_ - next_ < 4) grow(4);
    if (c < 0x80) {
      *next_++ = static_cast<char>(c);
    } else if (c < 0x800) {
      *next_++ = static_cast<char>(0xC0 | (c >> 6));
      *next_++ = static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      *next_++ = static_cast<char>(0xE0 | (c >> 12));
      *next_++ = static_cast<char>(0x80 | ((c >> 6) & 0x3F));
      *next_++ = static_cast<char>(0x80 | (c & 0x3F));
    } else {
      *next_++ = static_cast<char>(0xF0 | (c >> 18));
      *next_++ = static_cast<char>(0x80 | ((c >> 12) & 0x3F));
      *next_++ = static_cast<char>(0x80 | ((c >> 6) & 0x3F));
      *next_++ = static_cast<char>(0x80 | (c & 0x3F));
    }
  }

  /// `text` must be UTF-8 already.
  void append(std::string_view text) {
    if (text.empty()) return;
    if (static_cast<std::size_t>(limit_ - next_) < text.size()) grow(text.size());
    std::memcpy(next_, text.data(), text.size());
    next_ += text.size();
  }

  void put_error() {
    had_errors_ = true;
    put(0xFFFD);
  }

  /// Truncates the string to its content. Returns false if put_error() was called.
  bool finish() {
    out_.resize(static_cast<std::size_t>(next_ - out_.data()));
    return !had_errors_;
  }

 private:
  static constexpr std::size_t kMargin = 64;

  void place(std::size_t used) {
    next_ = out_.data() + used;
    limit_ = out_.data() + out_.size();
  }

  void grow(std::size_t need) {
    const auto used = static_cast<std::size_t>(next_ - out_.data());
    out_.resize(used + used / 2 + need + kMargin);
    place(used);
  }

  std::string& out_;
  char* next_ = nullptr;
  char* limit_ = nullptr;
  bool had_errors_ = false;
};

bool is_utf8(std::string_view bytes);

/// Length of an incomplete but otherwise valid UTF-8 sequence at the end: 0 to 3.
std::size_t incomplete_utf8_tail(std::string_view bytes);

void decode_utf8(std::string_view bytes, Utf8Writer& out);

enum class ByteOrder { big, little };
void decode_utf16(std::string_view bytes, ByteOrder order, Utf8Writer& out);

/// `encoding` must be single-byte.
void decode_single_byte(std::string_view bytes, Encoding encoding, Utf8Writer& out);

void decode_gb18030(std::string_view bytes, const CodeIndex& gb18030, Utf8Writer& out);
void decode_big5(std::string_view bytes, const CodeIndex& big5, Utf8Writer& out);
void decode_euc_kr(std::string_view bytes, const CodeIndex& euc_kr, Utf8Writer& out);
void decode_shift_jis(std::string_view bytes, const CodeIndex& jis0208, Utf8Writer& out);
void decode_euc_jp(std::string_view bytes, const CodeIndex& jis0208, const CodeIndex& jis0212,
                   Utf8Writer& out);
void decode_iso_2022_jp(std::string_view bytes, const CodeIndex& jis0208, Utf8Writer& out);

}  // namespace sheaf::encoding
