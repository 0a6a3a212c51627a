#pragma once

#include "sheaf/html/dom.h"

#include <span>
#include <string>
#include <string_view>

namespace sheaf::extract {

/// What the page says about its text, to find it in the data.
struct StatePage {
  std::span<const std::string_view> titles;  ///< the page's title and headlines
  /// The page shows next to nothing, so that its text may also be taken from data without its title.
  bool is_shell = false;
};

/// Finds the text of a page that only scripts would show: the longest prose, or document of a text editor, in
/// the data of its scripts and attributes. Returns it as HTML; empty if there is none. Runs no script.
std::string read_state_text(const html::Document& document, const StatePage& page);

}  // namespace sheaf::extract
