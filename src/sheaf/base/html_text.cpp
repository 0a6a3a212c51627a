#include "sheaf/base/html_text.h"

#include "sheaf/base/code_points.h"

#include <algorithm>

namespace sheaf::base {
namespace {

std::string_view entity_of(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

bool is_deceptive(char32_t c) {
  const bool is_control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
  return is_control || is_bidi_control(c) || c == 0xFFFE || c == 0xFFFF;
}

/// Runs of these characters, which are nearly all text, are copied in one step.
bool is_plain_ascii(char c) { return c >= 0x20 && c < 0x7F && entity_of(c).empty(); }

}  // namespace

void append_html_text(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (const std::string_view entity = entity_of(c); !entity.empty())
      out += entity;
    else
      out += c;
  }
}

std::string html_text(std::string_view text) {
  std::string out;
  append_html_text(out, text);
  return out;
}

void append_visible_html(std::string& out, std::string_view text) {
  while (true) {
    const std::size_t plain =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain_ascii) - text.begin());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    if (const std::string_view entity = entity_of(text.front()); !entity.empty()) {
      out += entity;
      text.remove_prefix(1);
      continue;
    }
    const char32_t code_point = take_code_point(text);
    append_utf8(out, is_deceptive(code_point) ? kReplacementCharacter : code_point);
  }
}

}  // namespace sheaf::base
