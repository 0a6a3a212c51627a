#include "sheaf/encoding/encoding_decoders.h"

#include <simdjson.h>

namespace sheaf::encoding {
namespace {

// The bytes that may follow a lead byte: the number of continuation bytes and the range of the first one. For
// some lead bytes the range is narrower than 80..BF, to exclude overlong forms, surrogates and code points
// above U+10FFFF.
struct LeadRule {
  unsigned continuations;
  unsigned char lower = 0x80;
  unsigned char upper = 0xBF;
};

constexpr LeadRule rule_of(unsigned char lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return {1};
  if (lead == 0xE0) return {2, 0xA0, 0xBF};
  if (lead == 0xED) return {2, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF) return {2};
  if (lead == 0xF0) return {3, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3) return {3};
  if (lead == 0xF4) return {3, 0x80, 0x8F};
  return {0};
}

struct Sequence {
  std::size_t length;  // length of a complete character, or of the maximal subpart of an invalid one
  bool complete;
  bool at_end;  // invalid only because the input ends
};

// Reads the sequence that starts with a non-ASCII byte.
Sequence read_sequence(const char* p, const char* end) {
  LeadRule rule = rule_of(static_cast<unsigned char>(*p));
  if (rule.continuations == 0) return {1, false, false};
  std::size_t length = 1;
  for (; rule.continuations > 0; --rule.continuations, ++length) {
    if (p + length == end) return {length, false, true};
    const auto byte = static_cast<unsigned char>(p[length]);
    if (byte < rule.lower || byte > rule.upper) return {length, false, false};
    rule.lower = 0x80;
    rule.upper = 0xBF;
  }
  return {length, true, false};
}

class Utf16Units {
 public:
  Utf16Units(std::string_view bytes, ByteOrder order)
      : bytes_(bytes), high_(order == ByteOrder::big ? 0 : 1) {}
  std::size_t size() const { return bytes_.size() / 2; }
  char32_t operator[](std::size_t i) const {
    return static_cast<char32_t>(byte(2 * i + high_) << 8 | byte(2 * i + 1 - high_));
  }

 private:
  unsigned byte(std::size_t i) const { return static_cast<unsigned char>(bytes_[i]); }
  std::string_view bytes_;
  std::size_t high_;
};

constexpr bool is_lead_surrogate(char32_t unit) { return (unit & 0xFC00) == 0xD800; }
constexpr bool is_trail_surrogate(char32_t unit) { return (unit & 0xFC00) == 0xDC00; }

}  // namespace

bool is_utf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

std::size_t incomplete_utf8_tail(std::string_view bytes) {
  const char* end = bytes.data() + bytes.size();
  for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const auto byte = static_cast<unsigned char>(*(end - back));
    if (byte < 0x80) return 0;
    if (byte >= 0xC0) return read_sequence(end - back, end).at_end ? back : 0;
  }
  return 0;
}

void decode_utf8(std::string_view bytes, Utf8Writer& out) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  const char* copied = p;
  while (p != end) {
    p += ascii_prefix(p, end);
    if (p == end) break;
    const Sequence sequence = read_sequence(p, end);
    if (!sequence.complete) {
      out.append({copied, p});
      out.put_error();
      copied = p + sequence.length;
    }
    p += sequence.length;
  }
  out.append({copied, end});
}

void decode_utf16(std::string_view bytes, ByteOrder order, Utf8Writer& out) {
  const Utf16Units units(bytes, order);
  bool cut_surrogate = false;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const char32_t unit = units[i];
    if (!is_lead_surrogate(unit)) {
      if (is_trail_surrogate(unit)) {
        out.put_error();
      } else {
        out.put(unit);
      }
    } else if (i + 1 == units.size()) {
      out.put_error();
      cut_surrogate = true;
    } else if (is_trail_surrogate(units[i + 1])) {
      out.put(0x10000 + ((unit & 0x3FF) << 10) + (units[++i] & 0x3FF));
    } else {
      out.put_error();
    }
  }
  // An odd byte at the end is an error, unless it follows a lone lead surrogate: then both are one error.
  if (bytes.size() % 2 != 0 && !cut_surrogate) out.put_error();
}

}  // namespace sheaf::encoding
