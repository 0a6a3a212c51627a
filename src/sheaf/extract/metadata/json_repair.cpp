#include "sheaf/extract/metadata/json_repair.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

bool is_json_escape(char c) { return std::string_view("\"\\/bfnrtu").find(c) != std::string_view::npos; }

/// Copies a string that begins at `at` with its opening quote. Returns the position after its closing quote,
/// or the end of the text.
std::size_t copy_string(std::string_view text, std::size_t at, std::string& out) {
  out += '"';
  ++at;
  while (at < text.size()) {
    const std::size_t begin = at;
    while (at < text.size() && text[at] != '"' && text[at] != '\\' &&
           static_cast<unsigned char>(text[at]) >= 0x20)
      ++at;
    out.append(text, begin, at - begin);
    if (at == text.size()) break;
    const char c = text[at++];
    if (c == '"') {
      out += '"';
      break;
    }
    if (c != '\\') {
      out += ' ';
    } else if (at < text.size() && is_json_escape(text[at])) {
      out += c;
      out += text[at++];
    }
  }
  return at;
}

}  // namespace

bool repair_json(std::string_view script, std::size_t depth, std::string& out) {
  out.clear();
  std::size_t at = script.find_first_of("{[");
  // The brackets of "//<![CDATA[" do not begin an array.
  if (const std::size_t cdata = script.find("<![CDATA["); cdata < at)
    at = script.find_first_of("{[", cdata + 9);
  if (at == std::string_view::npos) return false;
  out.reserve(script.size() - at);
  std::size_t open = 0;
  while (at < script.size()) {
    const char c = script[at];
    if (c == '"') {
      at = copy_string(script, at, out);
      continue;
    }
    ++at;
    if (static_cast<unsigned char>(c) <= 0x20) continue;
    const bool closes = c == '}' || c == ']';
    if (closes && !out.empty() && out.back() == ',') out.pop_back();
    out += c;
    if ((c == '{' || c == '[') && ++open > depth) return false;
    if (closes && --open == 0) return true;
  }
  return false;
}

}  // namespace sheaf::extract
