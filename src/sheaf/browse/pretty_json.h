#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sheaf::browse {

/// A valid JSON text with line breaks and indents, with characters escaped as by append_visible_json(). Has
/// at most about `most` bytes; `is_cut` is true if that is not all of it.
struct PrettyJson {
  std::string text;
  bool is_cut = false;
};
PrettyJson pretty_json(std::string_view json, std::size_t most);

}  // namespace sheaf::browse
