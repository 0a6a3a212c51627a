#pragma once

#include <string_view>

namespace sheaf::warc {

/// Takes the next line from the front of `rest` and returns it without its line end (CR LF or LF).
inline std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace sheaf::warc
