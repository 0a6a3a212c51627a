#pragma once

#include "sheaf/html/dom.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::extract {

enum class Script : std::uint8_t { super, sub };

/// Writes superscript or subscript text as plain text: numbers with Unicode's superscript and subscript
/// characters, formulas as in TeX (2^(n-1), V_max), raised words unchanged (1st). Replaces `out`.
void write_script(std::string_view text, Script script, std::string& out);

/// Writes a formula: its TeX source between dollar signs if the page has it (annotation, alttext), else its
/// text. Replaces `out`, which is empty if the formula is.
void write_math(const html::Document& document, html::NodeId math, std::string& out);

/// Writes TeX between dollar signs, without MediaWiki's wrapper around it. Replaces `out`.
void write_tex(std::string_view tex, bool display, std::string& out);

/// Reads a text node that a script would render as a formula: TeX between "\(" and "\)" or "\[" and "\]", in
/// an element with a class for formulas. Returns false for any other text; replaces `out` only if it returns
/// true.
bool read_formula(const html::Document& document, html::NodeId text, std::string& out);

/// Whether an image stands for a formula. The TeX source is its alt.
bool is_tex_image(const html::Document& document, html::NodeId image);

}  // namespace sheaf::extract
