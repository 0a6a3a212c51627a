#include "sheaf/extract/generators/permalink.h"

#include "sheaf/base/code_points.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sheaf::extract {
namespace {

struct SignRange {
  char32_t first;
  char32_t last;
};

// Characters of permalinks and of links back: # and ^, pilcrow, section, infinity, arrows, symbols and
// pictographs, the private use area of icon fonts, and the variation selectors and joiners between them.
constexpr std::array<SignRange, 11> kSigns = {{{U'#', U'#'},
                                               {U'^', U'^'},
                                               {0xA7, 0xA7},
                                               {0xB6, 0xB6},
                                               {0x200D, 0x200D},
                                               {0x2190, 0x21FF},
                                               {0x221E, 0x221E},
                                               {0x2300, 0x27BF},
                                               {0xE000, 0xF8FF},
                                               {0xFE0E, 0xFE0F},
                                               {0x1F300, 0x1FAFF}}};

constexpr char32_t kBackArrow = 0x21A9;
constexpr std::size_t kMaxSignLength = 4;  // code points: a pictograph and its selectors

bool is_sign(char32_t c) {
  return std::ranges::any_of(kSigns, [c](SignRange range) { return c >= range.first && c <= range.last; });
}

bool is_blank(char32_t c) {
  return c <= U' ' || c == 0xA0 || (c >= 0x2000 && c <= 0x200B) || c == 0x2060 || c == 0xFEFF;
}

/// Whether `c` is a digit: the second link back from a footnote has a number after its arrow.
bool is_number_sign(char32_t c) {
  return (c >= U'0' && c <= U'9') || c == 0xB9 || c == 0xB2 || c == 0xB3 || (c >= 0x2070 && c <= 0x2079);
}

}  // namespace

bool is_permalink(std::string_view href, std::string_view text) {
  if (!href.contains('#')) return false;
  const bool is_here = href.starts_with('#');
  std::size_t count = 0;
  bool goes_back = false;
  while (!text.empty()) {
    const char32_t c = base::take_code_point(text);
    if (is_blank(c)) continue;
    // Some generators write the path of the page before the fragment. Then only this arrow certainly goes
    // back; other signs may lead to another page.
    if (!is_here && count == 0 && c != kBackArrow) return false;
    if (++count > kMaxSignLength || !(is_sign(c) || (goes_back && is_number_sign(c)))) return false;
    goes_back = goes_back || (c >= 0x2190 && c <= 0x21FF);
  }
  return is_here || count > 0;
}

}  // namespace sheaf::extract
