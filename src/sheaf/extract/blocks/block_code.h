#pragma once

#include "sheaf/html/dom.h"

#include <string>
#include <string_view>

namespace sheaf::extract {

/// The language of a code block in lowercase, as a highlighter has declared it on its `code`, on the `pre`
/// (or similar element), or on a wrapper. Empty if it was not declared, or declared to be none ("plaintext").
/// The result may be a view of `out`.
std::string_view code_language(const html::Document& document, html::NodeId pre, std::string& out);

/// Whether an element is preformatted text by its classes: an editor's or highlighter's lines.
bool is_code_element(const html::Document& document, html::NodeId element, std::string_view classes);

/// Whether an element is the line numbers, or the buttons, beside such lines.
bool is_gutter(const html::Document& document, html::NodeId element, std::string_view classes);

/// Whether each row of a table is the number of a line and the line.
bool is_code_table(const html::Document& document, html::NodeId table);

/// Whether an element inside preformatted text was added by a highlighter and is not code: line numbers,
/// buttons.
bool is_code_decoration(const html::Document& document, html::NodeId element);

/// Whether a whole `pre` is the column of line numbers next to another one: it has only numbers, and a class
/// says so or they count up in a cell before a cell with code.
bool is_number_column(const html::Document& document, html::NodeId pre, std::string_view text);

}  // namespace sheaf::extract
