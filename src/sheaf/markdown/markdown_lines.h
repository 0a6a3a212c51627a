#pragma once

#include "sheaf/base/ascii.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace sheaf::markdown {

/// The first line of a text, with its line end.
inline std::string_view first_line(std::string_view text) {
  return text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
}

/// Detects fenced code, line by line.
class FenceTracker {
 public:
  /// Processes the next line. Returns whether it is code or a fence.
  bool takes(std::string_view line) {
    line = base::trim_front<base::is_blank>(line);
    const std::size_t marks = std::min(line.find_first_not_of(line.substr(0, 1)), line.size());
    const bool is_fence = marks >= 3 && (line.front() == '`' || line.front() == '~');
    const std::string_view info = line.substr(marks);
    if (size_ == 0) {
      if (!is_fence || (line.front() == '`' && info.find('`') != std::string_view::npos)) return false;
      mark_ = line.front();
      size_ = marks;
      return true;
    }
    const bool ends =
        is_fence && line.front() == mark_ && marks >= size_ && base::trim_xml_space(info).empty();
    if (ends) size_ = 0;
    return true;
  }

  [[nodiscard]] bool is_open() const { return size_ > 0; }

 private:
  char mark_ = 0;
  std::size_t size_ = 0;  ///< size of the open fence; 0 if no fence is open
};

}  // namespace sheaf::markdown
