#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sheaf::browse {

/// A valid JSON text with line breaks and indents, its characters escaped as append_visible_json does. At
/// most about `most` bytes; `is_cut` says whether that was less than all of it.
struct PrettyJson {
  std::string text;
  bool is_cut = false;
};
PrettyJson pretty_json(std::string_view json, std::size_t most);

}  // namespace sheaf::browse
