#pragma once

#include "sheaf/html/dom.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::extract {

enum class Script : std::uint8_t { super, sub };

/// How raised or lowered text reads in a line: numbers as Unicode's own characters (x with a raised 2, H with
/// a lowered 2), formulas as in TeX (2^(n-1), V_max), raised words as they are (1st). `out` is replaced.
void write_script(std::string_view text, Script script, std::string& out);

/// The source of a formula in TeX between dollar signs where the page has it (annotation, alttext), else its
/// text. `out` is replaced; empty if there is nothing.
void write_math(const html::Document& document, html::NodeId math, std::string& out);

/// TeX as formulas in text are written, without the wrapper that MediaWiki puts around. `out` is replaced.
void write_tex(std::string_view tex, bool display, std::string& out);

/// The TeX of a text node that a script would draw as a formula: in an element that is named so, between \(
/// and
/// \) or \[ and \]. False for any other text; `out` is replaced only if it is one.
bool read_formula(const html::Document& document, html::NodeId text, std::string& out);

/// Whether an image stands for a formula, whose TeX is then its alt.
bool is_tex_image(const html::Document& document, html::NodeId image);

}  // namespace sheaf::extract
