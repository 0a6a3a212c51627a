#include "sheaf/browse/pretty_json.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/format/json/json_text.h"

#include <algorithm>

namespace sheaf::browse {
namespace {

constexpr std::size_t kMaxIndent = 20;

/// The size of the string that begins `text`, with its quotes.
std::size_t json_string_size(std::string_view text) {
  std::size_t i = 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

void break_line(std::string& out, std::size_t depth) {
  out += '\n';
  out.append(2 * std::min(depth, kMaxIndent), ' ');
}

}  // namespace

PrettyJson pretty_json(std::string_view json, std::size_t most) {
  std::string pretty;
  std::size_t depth = 0;
  std::size_t i = 0;
  while (i < json.size() && pretty.size() < most) {
    const char c = json[i];
    std::size_t size = 1;
    if (c == '"') {
      size = json_string_size(json.substr(i));
      pretty += base::cut_utf8(json.substr(i, size), most);
    } else if (c == '{' || c == '[') {
      pretty += c;
      const bool is_empty = i + 1 < json.size() && (json[i + 1] == '}' || json[i + 1] == ']');
      if (is_empty)
        pretty += json[i + 1], size = 2;
      else
        break_line(pretty, ++depth);
    } else if (c == '}' || c == ']') {
      break_line(pretty, depth > 0 ? --depth : 0);
      pretty += c;
    } else if (c == ',') {
      pretty += c;
      break_line(pretty, depth);
    } else if (c == ':') {
      pretty += ": ";
    } else if (!base::is_xml_space(c)) {
      pretty += c;
    }
    i += size;
  }
  PrettyJson result{.text = {}, .is_cut = i < json.size()};
  format::append_visible_json(result.text, pretty);
  return result;
}

}  // namespace sheaf::browse
