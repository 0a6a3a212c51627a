#include "sheaf/site/sitemap_report.h"

#include "sheaf/base/code_points.h"

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

}  // namespace sheaf::site
