#include "sheaf/model/language.h"

#include "sheaf/base/ascii.h"

#include <algorithm>

namespace sheaf::model {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

}  // namespace

// The schema spells out optional script and region subtags, but its last group, (-[0-9A-Za-z]+)*, takes those
// and everything else of that form, so the language and the shape of the subtags are all there is to check.
bool is_language_tag(std::string_view tag) noexcept {
  const std::size_t end = std::min(tag.find('-'), tag.size());
  if (end < 2 || end > 3 || !std::ranges::all_of(tag.substr(0, end), is_lower)) return false;
  std::string_view rest = tag.substr(end);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::size_t length = std::min(rest.find('-'), rest.size());
    if (length == 0 || !std::ranges::all_of(rest.substr(0, length), base::is_alphanumeric)) return false;
    rest.remove_prefix(length);
  }
  return true;
}

}  // namespace sheaf::model
