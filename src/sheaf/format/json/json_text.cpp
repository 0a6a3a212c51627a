#include "sheaf/format/json/json_text.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace sheaf::format {
namespace {

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && base::is_xml_space(text[at])) ++at;
  return at;
}

/// `at` is the position of an opening quote. Returns the position after the closing one.
std::size_t skip_string(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size()) {
    const std::size_t quote = text.find('"', at);
    if (quote == std::string_view::npos) return text.size();
    std::size_t slashes = 0;
    while (slashes < quote - at && text[quote - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) return quote + 1;
    at = quote + 1;
  }
  return text.size();
}

std::size_t skip_container(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    switch (text[at]) {
      case '"': at = skip_string(text, at); continue;
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (--depth == 0) return at + 1;
        break;
      default: break;
    }
    ++at;
  }
  return at;
}

std::size_t skip_value(std::string_view text, std::size_t at) {
  if (at >= text.size()) return at;
  if (text[at] == '"') return skip_string(text, at);
  if (text[at] == '{' || text[at] == '[') return skip_container(text, at);
  while (at < text.size() && text[at] != ',' && text[at] != '}' && text[at] != ']' &&
         !base::is_xml_space(text[at]))
    ++at;
  return at;
}

/// Moves from the opening bracket, or from the end of an element, to the start of the next element. Returns
/// text.size() at the end.
std::size_t next_element(std::string_view text, std::size_t at) {
  at = skip_space(text, at);
  if (at < text.size() && (text[at] == ',' || text[at] == '{' || text[at] == '['))
    at = skip_space(text, at + 1);
  if (at >= text.size() || text[at] == '}' || text[at] == ']') return text.size();
  return at;
}

/// Whether `c` is the first byte of DEL, a C1 control, U+061C, or a character of U+200E to U+2069.
bool may_begin_invisible(char c) { return c == '\x7f' || c == '\xc2' || c == '\xd8' || c == '\xe2'; }

bool is_escaped(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

/// Writes the escape of a character; returns its end.
char* write_escape(unsigned char c, char* to) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  *to++ = '\\';
  switch (c) {
    case '"': *to++ = '"'; break;
    case '\\': *to++ = '\\'; break;
    case '\n': *to++ = 'n'; break;
    case '\t': *to++ = 't'; break;
    case '\r': *to++ = 'r'; break;
    case '\b': *to++ = 'b'; break;
    case '\f': *to++ = 'f'; break;
    default:
      *to++ = 'u';
      *to++ = '0';
      *to++ = '0';
      *to++ = kDigits[c >> 4];
      *to++ = kDigits[c & 15];
  }
  return to;
}

constexpr std::size_t kMaxEscapeLength = 6;

// copy_block() copies a block before it checks it. The caller overwrites the copy from the first character
// that must be escaped.
#ifdef __SSE2__
constexpr std::size_t kBlock = 16;

/// Copies a block. Returns the index of the first character to escape; kBlock if there is none.
std::size_t copy_block(const char* from, char* to) {
  const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), block);
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
  const __m128i quotes = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
  const __m128i slashes = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
  const int hits = _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quotes, slashes)));
  return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(hits) | (1U << kBlock)));
}
#else
constexpr std::size_t kBlock = 8;
constexpr std::uint64_t kOnes = 0x0101010101010101;

/// Index of the first of eight characters that a JSON string must escape; 8 if there is none. Such a byte has
/// its high bit set in `hits`. Because of the borrow, a byte after it may have the bit set too, which is
/// harmless: only the first counts.
std::size_t first_escaped(std::uint64_t word) {
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  const auto below = [](std::uint64_t bytes, std::uint64_t limit) {
    return (bytes - limit * kOnes) & ~bytes;
  };
  const std::uint64_t hits =
      (below(word, 0x20) | below(word ^ ('"' * kOnes), 1) | below(word ^ ('\\' * kOnes), 1)) & (0x80 * kOnes);
  return static_cast<std::size_t>(std::countr_zero(hits)) / 8;
}

std::size_t copy_block(const char* from, char* to) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, kBlock);
  std::memcpy(to, &word, kBlock);
  return first_escaped(word);
}
#endif

/// Returns the end of the output. `to` must have room for every character as an escape, plus one block.
char* write_escaped(std::string_view text, char* to) {
  std::size_t at = 0;
  while (at + kBlock <= text.size()) {
    const std::size_t plain = copy_block(text.data() + at, to);
    at += plain;
    to += plain;
    if (plain < kBlock) to = write_escape(static_cast<unsigned char>(text[at++]), to);
  }
  for (; at < text.size(); ++at) {
    if (is_escaped(text[at])) {
      to = write_escape(static_cast<unsigned char>(text[at]), to);
    } else {
      *to++ = text[at];
    }
  }
  return to;
}

}  // namespace

RawObject::RawObject(std::string_view text) : text_(text), at_(next_element(text, 0)) {}

bool RawObject::next(RawMember& member) {
  if (at_ >= text_.size()) return false;
  member.begin = at_;
  const std::size_t key_end = skip_string(text_, at_);
  member.key = text_.substr(at_ + 1, key_end - at_ - 2);
  const std::size_t colon = skip_space(text_, key_end);
  const std::size_t value = skip_space(text_, colon + 1);
  member.end = skip_value(text_, value);
  member.value = text_.substr(value, member.end - value);
  const std::size_t comma = skip_space(text_, member.end);
  at_ = comma < text_.size() && text_[comma] == ',' ? skip_space(text_, comma + 1) : text_.size();
  return true;
}

RawArray::RawArray(std::string_view text) : text_(text), at_(next_element(text, 0)) {}

bool RawArray::next(std::string_view& element) {
  if (at_ >= text_.size()) return false;
  const std::size_t end = skip_value(text_, at_);
  element = text_.substr(at_, end - at_);
  const std::size_t comma = skip_space(text_, end);
  at_ = comma < text_.size() && text_[comma] == ',' ? skip_space(text_, comma + 1) : text_.size();
  return true;
}

void append_json_string(ByteBuffer& out, std::string_view text) {
  constexpr std::size_t kPiece = 4096;  // limits the reserved space, which is seldom used
  out += '"';
  do {
    const std::string_view piece = text.substr(0, kPiece);
    text.remove_prefix(piece.size());
    char* const to = out.room(piece.size() * kMaxEscapeLength + kBlock);
    out.use(static_cast<std::size_t>(write_escaped(piece, to) - to));
  } while (!text.empty());
  out += '"';
}

void append_json_string(std::string& out, std::string_view text) {
  ByteBuffer buffer;
  append_json_string(buffer, text);
  out += buffer.view();
}

void append_visible_json(std::string& out, std::string_view json) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  while (!json.empty()) {
    const auto* special = std::ranges::find_if(json, may_begin_invisible);
    const auto plain = static_cast<std::size_t>(special - json.begin());
    out += json.substr(0, plain);
    json.remove_prefix(plain);
    if (json.empty()) return;
    const std::string_view before = json;
    const char32_t c = base::take_code_point(json);
    if ((c >= 0x7f && c < 0xa0) || base::is_bidi_control(c) || base::is_bidi_mark(c)) {
      out += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(c >> shift) & 15U];
    } else {
      out += before.substr(0, before.size() - json.size());
    }
  }
}

}  // namespace sheaf::format
