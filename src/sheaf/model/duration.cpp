#include "sheaf/model/duration.h"

#include "sheaf/base/ascii.h"

#include <cstddef>

namespace sheaf::model {
// ^PT(?=.*[HMS])(\d+H)?(\d+M)?(\d+(\.\d+)?S)?$
bool is_duration(std::string_view text) noexcept {
  if (!text.starts_with("PT")) return false;
  text.remove_prefix(2);
  constexpr std::string_view kUnits = "HMS";
  std::size_t unit = 0;
  bool any = false;
  while (!text.empty()) {
    std::size_t digits = 0;
    while (digits < text.size() && base::is_digit(text[digits])) ++digits;
    std::size_t end = digits;
    const bool fraction = end < text.size() && text[end] == '.';
    if (fraction) {
      const std::size_t from = ++end;
      while (end < text.size() && base::is_digit(text[end])) ++end;
      if (end == from) return false;
    }
    if (digits == 0 || end >= text.size()) return false;
    const std::size_t found = kUnits.find(text[end], unit);
    if (found == std::string_view::npos || (fraction && text[end] != 'S')) return false;
    unit = found + 1;
    any = true;
    text.remove_prefix(end + 1);
  }
  return any;
}

}  // namespace sheaf::model
