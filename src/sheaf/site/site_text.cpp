#include "sheaf/site/site_text.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"

#include <algorithm>

namespace sheaf::site {

std::string quote(std::string_view text) {
  constexpr std::size_t kShown = 100;
  std::string quoted = "\"";
  for (const char c : base::make_valid_utf8(base::cut_utf8(text, kShown))) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
    quoted += control ? ' ' : c;
  }
  quoted += text.size() > kShown ? "...\"" : "\"";
  return quoted;
}

bool same_letters(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, base::lower_ascii, base::lower_ascii);
}

}  // namespace sheaf::site
