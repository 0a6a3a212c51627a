#include "sheaf/base/code_points.h"

#include <cstddef>

namespace sheaf::base {
namespace {

struct Lead {
  std::size_t following;  // number of continuation bytes; 0: not a lead byte
  char32_t bits;
  unsigned char lower;  // bounds of the second byte: they exclude overlong forms, surrogates and > U+10FFFF
  unsigned char upper;
};

Lead read_lead(unsigned char byte) noexcept {
  if (byte >= 0xC2 && byte <= 0xDF) return {1, char32_t{byte} & 0x1F, 0x80, 0xBF};
  if (byte == 0xE0) return {2, 0, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0xD, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2, char32_t{byte} & 0x0F, 0x80, 0xBF};
  if (byte == 0xF0) return {3, 0, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {3, char32_t{byte} & 0x07, 0x80, 0xBF};
  if (byte == 0xF4) return {3, 4, 0x80, 0x8F};
  return {0, 0, 0, 0};
}

}  // namespace

char32_t take_code_point(std::string_view& text) noexcept {
  const auto first = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  if (first < 0x80) return first;
  Lead lead = read_lead(first);
  if (lead.following == 0) return kReplacementCharacter;
  char32_t code_point = lead.bits;
  for (; lead.following > 0; --lead.following) {
    if (text.empty()) return kReplacementCharacter;
    const auto next = static_cast<unsigned char>(text.front());
    if (next < lead.lower || next > lead.upper) return kReplacementCharacter;
    lead.lower = 0x80;
    lead.upper = 0xBF;
    code_point = code_point << 6 | (next & 0x3F);
    text.remove_prefix(1);
  }
  return code_point;
}

std::string make_valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) append_utf8(out, take_code_point(text));
  return out;
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto tail = [&](int shift) { out.push_back(static_cast<char>(0x80 | (code_point >> shift & 0x3F))); };
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xC0 | code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | code_point >> 12));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace sheaf::base
