#include "sheaf/model/robots_directives.h"

#include "sheaf/base/ascii.h"

#include <algorithm>
#include <array>
#include <string>

namespace sheaf::model {
namespace {

/// Removes the text up to the next separator from the front, and returns it without the separator.
std::string_view take_until(std::string_view& text, std::string_view separators) {
  const std::size_t end = std::min(text.find_first_of(separators), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

bool has_word(std::string_view text, std::string_view word) {
  while (!text.empty())
    if (take_until(text, ": \t\n\f\r") == word) return true;
  return false;
}

constexpr std::array<std::string_view, 6> kDirectives = {"noindex",   "nofollow",    "noarchive",
                                                         "nosnippet", "notranslate", "noimageindex"};

}  // namespace

std::optional<std::string_view> known_directive(std::string_view text) {
  const auto* found = std::ranges::find(kDirectives, base::lower_text(base::trim_space(text)));
  return found == kDirectives.end() ? std::nullopt : std::optional(*found);
}

bool says_noindex(std::string_view directives) {
  const std::string lower = base::lower_text(directives);
  std::string_view rest = lower;
  while (!rest.empty()) {
    const std::string_view directive = take_until(rest, ",;");
    if (has_word(directive, "noindex")) return true;
    if (!directive.contains(':') && has_word(directive, "none")) return true;
  }
  return false;
}

bool is_noindex(const Page& page) { return page.robots && std::ranges::any_of(*page.robots, says_noindex); }

}  // namespace sheaf::model
