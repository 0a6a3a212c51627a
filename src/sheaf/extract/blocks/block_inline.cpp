#include "sheaf/extract/blocks/block_inline.h"

#include "sheaf/base/code_points.h"
#include "sheaf/extract/blocks/block_text.h"
#include "sheaf/html/dom.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sheaf::extract {
namespace {

constexpr std::size_t kMaxFormulaLength = 24;  // bytes; longer raised text is prose

struct Raised {
  char from;
  std::string_view super;
  std::string_view sub;
};

constexpr std::array<Raised, 17> kRaised = {{{'0', "\u2070", "\u2080"},
                                             {'1', "\u00B9", "\u2081"},
                                             {'2', "\u00B2", "\u2082"},
                                             {'3', "\u00B3", "\u2083"},
                                             {'4', "\u2074", "\u2084"},
                                             {'5', "\u2075", "\u2085"},
                                             {'6', "\u2076", "\u2086"},
                                             {'7', "\u2077", "\u2087"},
                                             {'8', "\u2078", "\u2088"},
                                             {'9', "\u2079", "\u2089"},
                                             {'+', "\u207A", "\u208A"},
                                             {'-', "\u207B", "\u208B"},
                                             {'=', "\u207C", "\u208C"},
                                             {'(', "\u207D", "\u208D"},
                                             {')', "\u207E", "\u208E"},
                                             {'n', "\u207F", ""},
                                             {'i', "\u2071", ""}}};

constexpr std::string_view kMinus = "\u2212";

/// Writes the whole text in Unicode's superscript or subscript characters. Returns false if there is none for
/// some character.
bool write_raised(std::string_view text, Script script, std::string& out) {
  out.clear();
  while (!text.empty()) {
    const bool minus = text.starts_with(kMinus);
    const char c = minus ? '-' : text.front();
    const auto* found = std::ranges::find(kRaised, c, &Raised::from);
    if (found == kRaised.end()) return false;
    const std::string_view raised = script == Script::super ? found->super : found->sub;
    if (raised.empty()) return false;
    out += raised;
    text.remove_prefix(minus ? kMinus.size() : 1);
  }
  return true;
}

bool is_letter(char c) {
  const char lower = text::lower_ascii(c);
  return (lower >= 'a' && lower <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_char(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

/// The TeX annotation in a math element; kNoNode if it has none.
html::NodeId tex_annotation(const html::Document& document, html::NodeId math) {
  for (const html::NodeId node : html::Descendants(document, math)) {
    if (!document.is_element(node) || document.name_text(node) != "annotation") continue;
    const std::string_view encoding = document.attribute(node, html::Name::encoding).value_or("");
    if (encoding == "application/x-tex" || encoding == "TeX" || encoding == "LaTeX") return node;
  }
  return html::kNoNode;
}

}  // namespace

void write_script(std::string_view text, Script script, std::string& out) {
  if (text.empty() || write_raised(text, script, out)) return;
  const bool words = std::ranges::all_of(text, is_letter);
  const bool formula =
      text.size() <= kMaxFormulaLength && std::ranges::none_of(text, text::is_space) && text.front() != '[';
  if (!formula || (words && script == Script::super)) {
    out = text;
    return;
  }
  out.assign(1, script == Script::super ? '^' : '_');
  const bool name = std::ranges::all_of(text, is_name_char);
  if (!name) out += '(';
  out += text;
  if (!name) out += ')';
}

void write_tex(std::string_view tex, bool display, std::string& out) {
  constexpr std::string_view kDisplay = "{\\displaystyle";
  constexpr std::string_view kInText = "{\\textstyle";
  tex = text::trim_space(tex);
  for (const std::string_view wrapper : {kDisplay, kInText})
    if (tex.starts_with(wrapper) && tex.ends_with('}'))
      tex = text::trim_space(tex.substr(wrapper.size(), tex.size() - wrapper.size() - 1));
  std::string inside;
  collapse_space(tex, inside);
  out.clear();
  if (inside.empty()) return;
  const std::string_view dollars = display ? "$$" : "$";
  out += dollars;
  out += inside;
  out += dollars;
}

void write_math(const html::Document& document, html::NodeId math, std::string& out) {
  const bool display = document.attribute(math, "display") == "block";
  std::string source;
  if (const html::NodeId annotation = tex_annotation(document, math); annotation != html::kNoNode) {
    html::append_text_content(document, annotation, source);
    return write_tex(source, display, out);
  }
  if (const auto alt = document.attribute(math, "alttext"); alt && !text::trim_space(*alt).empty())
    return write_tex(*alt, display, out);
  html::append_text_content(document, math, source);
  collapse_space(source, out);
}

bool read_formula(const html::Document& document, html::NodeId text, std::string& out) {
  const std::string_view tex = text::trim_space(document.text(text));
  if (tex.size() < 5 || tex.front() != '\\') return false;
  const bool display = tex.starts_with("\\[") && tex.ends_with("\\]");
  if (!display && !(tex.starts_with("\\(") && tex.ends_with("\\)"))) return false;
  const html::NodeId parent = document.parent(text);
  if (!html::has_class(document, parent, "math") && !html::has_class(document, parent, "arithmatex") &&
      !html::has_class(document, parent, "tex") && !html::has_class(document, parent, "latex"))
    return false;
  write_tex(tex.substr(2, tex.size() - 4), display, out);
  return true;
}

bool is_tex_image(const html::Document& document, html::NodeId image) {
  if (text::trim_space(document.attribute(image, html::Name::alt).value_or("")).empty()) return false;
  std::string_view classes = document.attribute(image, html::Name::class_).value_or("");
  for (std::string_view word = text::take_word(classes); !word.empty(); word = text::take_word(classes))
    if (word == "tex" || word == "latex" || word == "math" || word.starts_with("mwe-math-fallback-image"))
      return true;
  return false;
}

}  // namespace sheaf::extract
