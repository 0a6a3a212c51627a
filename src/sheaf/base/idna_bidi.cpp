#include "sheaf/base/idna_bidi.h"

#include "sheaf/base/idna_mapping.h"

#include <algorithm>
#include <array>
#include <vector>

namespace sheaf::base {
namespace {

// The classes of UAX #9 as far as RFC 5893 tells them apart.
enum class Bidi { left, right, arabic_number, european_number, neutral, mark };

struct Range {
  char32_t first;
  char32_t last;
};

// ES, CS, ET, ON and BN of Unicode 14. Only code points that UTS #46 leaves as they are, and no marks, are
// looked up, so a range may run over others.
constexpr std::array<Range, 74> kNeutral{{
    {0x00A1, 0x00D7},   {0x00F7, 0x00F7},   {0x02B9, 0x02BA},   {0x02C2, 0x02CF},   {0x02D2, 0x02ED},
    {0x02EF, 0x02FF},   {0x0375, 0x0375},   {0x03F6, 0x03F6},   {0x058A, 0x058F},   {0x0606, 0x0607},
    {0x0609, 0x060A},   {0x060C, 0x060C},   {0x060E, 0x060F},   {0x066A, 0x066A},   {0x06DE, 0x06DE},
    {0x06E9, 0x06E9},   {0x07F6, 0x07F9},   {0x09F2, 0x09F3},   {0x09FB, 0x09FB},   {0x0AF1, 0x0AF1},
    {0x0BF3, 0x0BFA},   {0x0C78, 0x0C7E},   {0x0E3F, 0x0E3F},   {0x0F3A, 0x0F3D},   {0x1390, 0x1399},
    {0x1400, 0x1400},   {0x169B, 0x169C},   {0x17DB, 0x17DB},   {0x17F0, 0x180A},   {0x1940, 0x1945},
    {0x19DE, 0x19FF},   {0x200C, 0x214D},   {0x218A, 0x2335},   {0x237B, 0x2394},   {0x2396, 0x26AB},
    {0x26AD, 0x27FF},   {0x2900, 0x2BFF},   {0x2CE5, 0x2CEA},   {0x2CF9, 0x2CFF},   {0x2E00, 0x3004},
    {0x3008, 0x3020},   {0x3030, 0x3030},   {0x3037, 0x3037},   {0x303D, 0x303F},   {0x30A0, 0x30A0},
    {0x30FB, 0x30FB},   {0x31C0, 0x31E3},   {0x4DC0, 0x4DFF},   {0xA490, 0xA4C6},   {0xA60D, 0xA60F},
    {0xA673, 0xA67F},   {0xA700, 0xA721},   {0xA788, 0xA788},   {0xA828, 0xA82B},   {0xA838, 0xA839},
    {0xA874, 0xA877},   {0xAB6A, 0xAB6B},   {0xFD3E, 0xFE46},   {0x10101, 0x10101}, {0x10140, 0x1018C},
    {0x10190, 0x101A0}, {0x1091F, 0x1091F}, {0x10B39, 0x10B3F}, {0x11052, 0x11065}, {0x11660, 0x1166C},
    {0x11FD5, 0x11FF1}, {0x16FE2, 0x16FE2}, {0x1D1E9, 0x1D245}, {0x1D300, 0x1D356}, {0x1E2FF, 0x1E2FF},
    {0x1EEF0, 0x1F12F}, {0x1F16D, 0x1F16F}, {0x1F1AD, 0x1F1AD}, {0x1F260, 0x1FBCA},
}};

constexpr std::array<Range, 4> kArabicNumbers{{
    {0x0660, 0x0669},
    {0x066B, 0x066C},
    {0x10D30, 0x10D39},
    {0x10E60, 0x10E7E},
}};

constexpr std::array<Range, 2> kEuropeanNumbers{{{0x06F0, 0x06F9}, {0x102E1, 0x102FB}}};

// The blocks of R and AL, looked at last: what is not in the tables above belongs to these or runs left to
// right.
constexpr std::array<Range, 5> kRightToLeft{{
    {0x0590, 0x08FF},
    {0xFB1D, 0xFDFF},
    {0xFE70, 0xFEFF},
    {0x10800, 0x10FFF},
    {0x1E800, 0x1EFFF},
}};

template <std::size_t N>
bool contains(const std::array<Range, N>& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](const Range& range) { return c >= range.first && c <= range.last; });
}

Bidi ascii_bidi(char32_t c) {
  if (c >= U'0' && c <= U'9') return Bidi::european_number;
  return c >= U'a' && c <= U'z' ? Bidi::left : Bidi::neutral;
}

Bidi bidi_of(char32_t c) {
  if (c < 0x80) return ascii_bidi(c);
  if (is_mark(c)) return Bidi::mark;
  if (contains(kNeutral, c)) return Bidi::neutral;
  if (contains(kArabicNumbers, c)) return Bidi::arabic_number;
  if (contains(kEuropeanNumbers, c)) return Bidi::european_number;
  return contains(kRightToLeft, c) ? Bidi::right : Bidi::left;
}

}  // namespace

bool is_right_to_left(char32_t code_point) {
  if (!contains(kRightToLeft, code_point)) return false;
  const Bidi bidi = bidi_of(code_point);
  return bidi == Bidi::right || bidi == Bidi::arabic_number;
}

bool satisfies_bidi_rule(std::u32string_view label) {
  std::vector<Bidi> classes;
  classes.reserve(label.size());
  for (const char32_t c : label) classes.push_back(bidi_of(c));
  const auto has = [&](Bidi bidi) { return std::ranges::find(classes, bidi) != classes.end(); };

  const auto last =
      std::ranges::find_if(classes.rbegin(), classes.rend(), [](Bidi b) { return b != Bidi::mark; });
  if (last == classes.rend()) return false;
  if (classes.front() == Bidi::left) {
    return !has(Bidi::right) && !has(Bidi::arabic_number) &&
           (*last == Bidi::left || *last == Bidi::european_number);
  }
  if (classes.front() != Bidi::right || has(Bidi::left)) return false;
  if (has(Bidi::european_number) && has(Bidi::arabic_number)) return false;
  return *last != Bidi::neutral;
}

}  // namespace sheaf::base
