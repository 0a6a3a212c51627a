#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sheaf::format {

/// simdjson reads ahead of what it parses; a line's buffer is readable this far past its end.
constexpr std::size_t kLinePadding = 64;

/// One line of a collection without its line feed, followed by kLinePadding readable bytes.
struct Line {
  std::string_view text;
  std::uint64_t number = 0;  ///< from 1
  std::uint64_t offset = 0;  ///< of its first byte in the uncompressed file
  bool has_line_feed = true;
  bool too_large = false;  ///< over the limit: `text` is empty, the line was skipped
};

}  // namespace sheaf::format
