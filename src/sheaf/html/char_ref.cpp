#include "sheaf/html/char_ref.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hex.h"

#include <algorithm>
#include <utility>

namespace sheaf::html {
namespace {

// "Numeric character reference end state": references to C1 controls are read as windows-1252.
constexpr std::array<std::uint16_t, 32> kC1 = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

std::uint32_t allowed_code_point(std::uint32_t code) {
  constexpr std::uint32_t replacement = 0xFFFD;
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return replacement;
  if (code >= 0x80 && code <= 0x9F) return kC1[code - 0x80];
  return code;
}

CharRef read_number(const char* begin, const char* end, std::array<char, 4>& buffer) {
  const char* p = begin + 1;  // past the #
  const bool hex = p != end && (*p == 'x' || *p == 'X');
  if (hex) ++p;
  const char* digits = p;
  std::uint32_t code = 0;
  for (; p != end; ++p) {
    const int digit = hex ? base::hex_value(*p) : (base::is_digit(*p) ? *p - '0' : -1);
    if (digit < 0) break;
    // Beyond the last code point the exact value does not matter, so the number stops growing.
    if (code <= 0x10FFFF) code = code * (hex ? 16U : 10U) + static_cast<std::uint32_t>(digit);
  }
  if (p == digits) return {};
  if (p != end && *p == ';') ++p;
  const std::size_t size = encode_utf8(allowed_code_point(code), buffer.data());
  return {static_cast<std::size_t>(p - begin), {buffer.data(), size}};
}

// The longest name at the start of [p, end). The rows that begin with the bytes read so far are a range of
// the sorted table, which is narrowed byte by byte. The first row of the range is the shortest.
const EntityRow* longest_name(const char* p, const char* end) {
  const auto letter = static_cast<std::size_t>(*p - 'A');
  std::size_t low = kEntityFirst[letter];
  std::size_t high = kEntityFirst[letter + 1];
  const EntityRow* best = nullptr;
  const auto byte_at = [](std::size_t row, std::size_t i) {
    return i < kEntityRows[row].name_size ? kEntityNames[kEntityRows[row].name_begin + i] : '\0';
  };
  for (std::size_t size = 1; low < high; ++size) {
    if (kEntityRows[low].name_size == size) best = &kEntityRows[low];
    if (p + size == end) break;
    const char next = p[size];
    if (!base::is_alphanumeric(next) && next != ';') break;
    const auto bound = [&](bool past) {
      std::size_t from = low;
      std::size_t to = high;
      while (from < to) {
        const std::size_t middle = from + (to - from) / 2;
        const char byte = byte_at(middle, size);
        if (byte < next || (past && byte == next)) {
          from = middle + 1;
        } else {
          to = middle;
        }
      }
      return from;
    };
    const std::size_t first = bound(false);
    high = bound(true);
    low = first;
  }
  return best;
}

// The five most common references on the web; none of them is a prefix of a longer name.
CharRef read_common_name(const char* p, const char* end) {
  constexpr std::pair<std::string_view, std::string_view> common[] = {
      {"lt;", "<"}, {"gt;", ">"}, {"amp;", "&"}, {"quot;", "\""}, {"nbsp;", "\xC2\xA0"}};
  const std::string_view rest(p, std::min<std::size_t>(static_cast<std::size_t>(end - p), 5));
  for (const auto& [name, value] : common)
    if (rest.starts_with(name)) return {name.size(), value};
  return {};
}

CharRef read_name(const char* p, const char* end, RefPlace place) {
  if (const CharRef common = read_common_name(p, end); common.consumed != 0) return common;
  const EntityRow* row = longest_name(p, end);
  if (row == nullptr) return {};
  const char* after = p + row->name_size;
  // A rule of the standard for historical reasons: in `href="?a=1&copy=2"` the ampersand is text.
  if (place == RefPlace::attribute && after[-1] != ';' && after != end &&
      (*after == '=' || base::is_alphanumeric(*after)))
    return {};
  return {row->name_size, {kEntityValues + row->value_begin, row->value_size}};
}

}  // namespace

std::size_t encode_utf8(std::uint32_t code_point, char* out) {
  if (code_point < 0x80) {
    out[0] = static_cast<char>(code_point);
    return 1;
  }
  if (code_point < 0x800) {
    out[0] = static_cast<char>(0xC0 | (code_point >> 6));
    out[1] = static_cast<char>(0x80 | (code_point & 0x3F));
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = static_cast<char>(0xE0 | (code_point >> 12));
    out[1] = static_cast<char>(0x80 | ((code_point >> 6) & 0x3F));
    out[2] = static_cast<char>(0x80 | (code_point & 0x3F));
    return 3;
  }
  out[0] = static_cast<char>(0xF0 | (code_point >> 18));
  out[1] = static_cast<char>(0x80 | ((code_point >> 12) & 0x3F));
  out[2] = static_cast<char>(0x80 | ((code_point >> 6) & 0x3F));
  out[3] = static_cast<char>(0x80 | (code_point & 0x3F));
  return 4;
}

CharRef read_char_ref(const char* p, const char* end, RefPlace place, std::array<char, 4>& buffer) {
  if (p == end) return {};
  if (*p == '#') return read_number(p, end, buffer);
  if (base::is_letter(*p)) return read_name(p, end, place);
  return {};
}

}  // namespace sheaf::html
