#pragma once

#include "sheaf/html/dom.h"

#include <string>
#include <string_view>

namespace sheaf::extract {

/// The language a highlighter noted on a `pre` (or its like), its `code` or a wrapper, in lower case; empty
/// if none did or if it says that there is none ("plaintext"). `out` is where the result lies.
std::string_view code_language(const html::Document& document, html::NodeId pre, std::string& out);

/// Inside preformatted text: what a highlighter added for the eye, line numbers and buttons.
bool is_code_decoration(const html::Document& document, html::NodeId element);

/// Whether a whole `pre` is the column of line numbers beside another: nothing but numbers, and named so.
bool is_number_column(const html::Document& document, html::NodeId pre, std::string_view text);

}  // namespace sheaf::extract
