#pragma once

#include "sheaf/html/dom.h"

#include <string>

namespace sheaf::extract {

/// Writes a formula as TeX, without dollar signs, from the form in which the page shows it: MathML, MathJax's
/// elements (`mjx-...`) or its SVG, which has the kinds of MathML nodes as attributes. Appends to `out`.
void write_shown_formula(const html::Document& document, html::NodeId root, std::string& out);

/// The same for the HTML of KaTeX, which has classes and positions only.
void write_katex_formula(const html::Document& document, html::NodeId root, std::string& out);

}  // namespace sheaf::extract
