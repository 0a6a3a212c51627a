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

/// Reads a text node that a script would render as a formula: TeX between "\(" and "\)" or "\[" and "\]".
/// Returns false for any other text; replaces `out` only if it returns true.
bool read_formula(const html::Document& document, html::NodeId text, std::string& out);

/// Whether the classes of an element are those of a rendered formula, or of one whose text is its TeX.
enum class FormulaForm : std::uint8_t { none, rendered, text };
FormulaForm formula_form(const html::Document& document, html::NodeId element, std::string_view classes);

/// Whether the page has attributes with the TeX of formulas, and whether an element has one.
bool has_formula_data(const html::Document& document);
bool is_formula_data(const html::Document& document, html::NodeId element);

/// Writes a rendered formula (KaTeX, MathJax, Quill, GitLab): its source if the page has it, otherwise what
/// is shown. `out` is empty if the source is elsewhere on the page. Returns false if there is no formula.
bool write_rendered(const html::Document& document, html::NodeId element, std::string& out);

/// Writes the formula that an image shows: its alt or its URL has the TeX. Returns false for other images.
bool write_tex_image(const html::Document& document, html::NodeId image, std::string& out);

}  // namespace sheaf::extract
