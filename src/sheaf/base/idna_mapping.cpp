// libidn2 holds all the Unicode data UTS #46 needs, but its one call works on whole domains and is stricter
// than the URL Standard: IDNA2008 refuses symbols, hyphens are checked, labels end at 63 bytes. So it is
// asked about one code point, or one letter with its marks, at a time, and the rules above that are ours. Its
// transitional mode leaves out the IDNA2008 checks; the four characters that mode would change never reach
// it.
#include "sheaf/base/idna_mapping.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/punycode.h"

#include <idn2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

namespace sheaf::base {
namespace {

constexpr char32_t kZeroWidthNonJoiner = 0x200C;
constexpr char32_t kZeroWidthJoiner = 0x200D;

// Stands beside or for a character in a question: it composes with nothing, joins nothing and is no hyphen.
constexpr char32_t kFiller = U'0';

bool is_joiner(char32_t c) { return c == kZeroWidthNonJoiner || c == kZeroWidthJoiner; }

bool is_deviation(char32_t c) { return c == 0xDF || c == 0x3C2 || is_joiner(c); }

struct Answer {
  int code = IDN2_OK;
  std::u32string label;  // empty unless code is IDN2_OK
};

Answer ask(std::u32string_view label, int flags) {
  std::string text;
  for (const char32_t c : label) append_utf8(text, c);
  unsigned char* raw = nullptr;
  const int code = idn2_lookup_u8(reinterpret_cast<const unsigned char*>(text.c_str()), &raw,
                                  flags | IDN2_NFC_INPUT | IDN2_NO_ALABEL_ROUNDTRIP);
  if (code != IDN2_OK) return {code, {}};
  const std::unique_ptr<unsigned char, void (*)(void*)> owner(raw, idn2_free);
  const std::string_view ascii = reinterpret_cast<const char*>(raw);
  if (!ascii.starts_with("xn--")) return {code, decode_utf8(ascii)};
  std::optional<std::u32string> decoded = decode_punycode(ascii.substr(4));
  if (!decoded) return {IDN2_PUNYCODE_BAD_INPUT, {}};
  return {code, *std::move(decoded)};
}

// What Unicode 15.1 and 16 changed in the mapping of characters that older libidn2 data knows otherwise: each
// range goes to the range that starts at `to`, or to nothing if that is 0.
struct Remap {
  char32_t first;
  char32_t last;
  char32_t to;
};

constexpr std::array<Remap, 19> kRemaps{{
    {0x04C0, 0x04C0, 0x04CF},   {0x10A0, 0x10C5, 0x2D00},    {0x115F, 0x1160, 0},
    {0x17B4, 0x17B5, 0},        {0x1806, 0x1806, 0x1806},    {0x180E, 0x180E, 0},
    {0x1E9E, 0x1E9E, 0x00DF},   {0x2061, 0x2063, 0},         {0x206A, 0x206F, 0},
    {0x2132, 0x2132, 0x214E},   {0x2183, 0x2183, 0x2184},    {0x3164, 0x3164, 0},
    {0xFFA0, 0xFFA0, 0},        {0x1D173, 0x1D17A, 0},       {0x2F868, 0x2F868, 0x36FC},
    {0x2F874, 0x2F874, 0x5F53}, {0x2F91F, 0x2F91F, 0x243AB}, {0x2F95F, 0x2F95F, 0x7AEE},
    {0x2F9BF, 0x2F9BF, 0x45D7},
}};

std::optional<std::u32string> map_code_point(char32_t c) {
  if (c == 0) return std::nullopt;
  if (c < 0x80) return std::u32string(1, c >= U'A' && c <= U'Z' ? c + 0x20 : c);
  if (is_deviation(c)) return std::u32string(1, c);
  if (c == 0x3002 || c == 0xFF0E || c == 0xFF61) return U".";
  for (const Remap& remap : kRemaps) {
    if (c < remap.first || c > remap.last) continue;
    return remap.to == 0 ? std::u32string() : std::u32string(1, remap.to + (c - remap.first));
  }
  const std::array<char32_t, 3> question{kFiller, c, kFiller};
  Answer answer = ask({question.data(), question.size()}, IDN2_TRANSITIONAL);
  if (answer.code != IDN2_OK || answer.label.size() < 2) return std::nullopt;
  return answer.label.substr(1, answer.label.size() - 2);
}

// Whether NFC may change `c` together with what stands before it: marks, and the vowels and finals of Hangul.
bool is_continuation(char32_t c) {
  if (c < 0x300) return false;
  if ((c >= 0x1161 && c <= 0x1175) || (c >= 0x11A8 && c <= 0x11C2)) return true;
  return is_mark(c);
}

bool append_composed(std::u32string& out, std::u32string_view cluster) {
  if (cluster.size() < 2) {
    out.append(cluster);
    return true;
  }
  std::u32string question(cluster);
  // None of these composes with anything, and libidn2 would map, split or refuse them here.
  const bool is_hidden = is_deviation(cluster[0]) || cluster[0] == U'-' || cluster[0] == U'.';
  if (is_hidden) question[0] = kFiller;
  const bool has_base = !is_mark(cluster[0]);
  if (!has_base) question.insert(0, 1, kFiller);
  Answer answer = ask(question, IDN2_TRANSITIONAL);
  if (answer.code != IDN2_OK || answer.label.empty()) return false;
  if (is_hidden) answer.label[0] = cluster[0];
  out.append(answer.label, has_base ? 0 : 1);
  return true;
}

// The last letter or symbol before `position` (or the first after it, going forward) with the marks in
// between.
std::u32string joining_side(std::u32string_view label, std::size_t position, bool forward) {
  std::u32string side;
  for (std::size_t i = position; forward ? ++i < label.size() : i-- > 0;) {
    const char32_t c = is_joiner(label[i]) ? kFiller : label[i];
    side.push_back(c);
    if (!is_mark(c)) break;
  }
  if (!forward) std::ranges::reverse(side);
  return side;
}

// The checks run in this order: disallowed, joiners, other context rules, unassigned, bidi. What fails only
// later than the joiners has passed them; later data may allow it, or another rule of ours judges it.
bool has_joiner_context(const std::u32string& label) {
  const int code = ask(label, IDN2_NONTRANSITIONAL).code;
  return code == IDN2_OK || code == IDN2_UNASSIGNED || code == IDN2_BIDI;
}

}  // namespace

std::optional<std::u32string> map_domain(std::u32string_view domain) {
  std::u32string out;
  std::u32string cluster;
  for (const char32_t c : domain) {
    const std::optional<std::u32string> mapped = map_code_point(c);
    if (!mapped) return std::nullopt;
    if (mapped->empty()) continue;
    if (!is_continuation(mapped->front())) {
      if (!append_composed(out, cluster)) return std::nullopt;
      cluster.clear();
    }
    cluster += *mapped;
  }
  if (!append_composed(out, cluster)) return std::nullopt;
  return out;
}

bool is_mark(char32_t code_point) {
  if (code_point < 0x300) return false;
  return ask({&code_point, 1}, IDN2_TRANSITIONAL).code == IDN2_LEADING_COMBINING;
}

bool is_joiner_allowed(std::u32string_view label, std::size_t position) {
  if (position == 0) return false;
  const char32_t joiner = label[position];
  // After a virama either joiner may stand.
  if (has_joiner_context({kFiller, label[position - 1], joiner})) return true;
  if (joiner == kZeroWidthJoiner) return false;
  return has_joiner_context(joining_side(label, position, false) + joiner +
                            joining_side(label, position, true));
}

}  // namespace sheaf::base
