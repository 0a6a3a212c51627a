#include "sheaf/html/block_inline.h"

#include "sheaf/base/code_points.h"
#include "sheaf/html/block_text.h"
#include "sheaf/html/query.h"
#include "sheaf/html/text_compare.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sheaf::html {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Signs that permalinks and links back are made of: # and ^, pilcrow, section, infinity, arrows, symbols and
// pictographs, the private area icon fonts use, and the selectors and joiners that come with them.
constexpr std::array<Range, 11> kSigns = {{{U'#', U'#'},
                                           {U'^', U'^'},
                                           {0xA7, 0xA7},
                                           {0xB6, 0xB6},
                                           {0x200D, 0x200D},
                                           {0x2190, 0x21FF},
                                           {0x221E, 0x221E},
                                           {0x2300, 0x27BF},
                                           {0xE000, 0xF8FF},
                                           {0xFE0E, 0xFE0F},
                                           {0x1F300, 0x1FAFF}}};

constexpr std::size_t kLongestSign = 4;      // code points: a pictograph and its selectors
constexpr std::size_t kLongestFormula = 24;  // bytes; longer raised text is prose

bool is_sign(char32_t c) {
  return std::ranges::any_of(kSigns, [c](Range range) { return c >= range.first && c <= range.last; });
}

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

/// The whole text in raised or lowered characters; false if one has none.
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
  const char lower = lower_ascii(c);
  return (lower >= 'a' && lower <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_char(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

/// The text of a math element's TeX annotation; kNoNode if it has none.
NodeId tex_annotation(const Document& document, NodeId math) {
  for (const NodeId node : Descendants(document, math)) {
    if (!document.is_element(node) || document.name_text(node) != "annotation") continue;
    const std::string_view encoding = document.attribute(node, Name::encoding).value_or("");
    if (encoding == "application/x-tex" || encoding == "TeX" || encoding == "LaTeX") return node;
  }
  return kNoNode;
}

}  // namespace

bool is_permalink(std::string_view href, std::string_view text) {
  if (!href.starts_with('#')) return false;
  text = trim_blank(text);
  std::size_t count = 0;
  while (!text.empty())
    if (++count > kLongestSign || !is_sign(base::take_code_point(text))) return false;
  return true;
}

void write_script(std::string_view text, Script script, std::string& out) {
  if (text.empty() || write_raised(text, script, out)) return;
  const bool words = std::ranges::all_of(text, is_letter);
  const bool formula =
      text.size() <= kLongestFormula && std::ranges::none_of(text, is_space) && text.front() != '[';
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
  tex = trim_space(tex);
  for (const std::string_view wrapper : {kDisplay, kInText})
    if (tex.starts_with(wrapper) && tex.ends_with('}'))
      tex = trim_space(tex.substr(wrapper.size(), tex.size() - wrapper.size() - 1));
  std::string inside;
  collapse_space(tex, inside);
  out.clear();
  if (inside.empty()) return;
  const std::string_view dollars = display ? "$$" : "$";
  out += dollars;
  out += inside;
  out += dollars;
}

void write_math(const Document& document, NodeId math, std::string& out) {
  const bool display = document.attribute(math, "display") == "block";
  std::string source;
  if (const NodeId annotation = tex_annotation(document, math); annotation != kNoNode) {
    append_text_content(document, annotation, source);
    return write_tex(source, display, out);
  }
  if (const auto alt = document.attribute(math, "alttext"); alt && !trim_space(*alt).empty())
    return write_tex(*alt, display, out);
  append_text_content(document, math, source);
  collapse_space(source, out);
}

bool is_tex_image(const Document& document, NodeId image) {
  if (trim_space(document.attribute(image, Name::alt).value_or("")).empty()) return false;
  std::string_view classes = document.attribute(image, Name::class_).value_or("");
  for (std::string_view word = take_word(classes); !word.empty(); word = take_word(classes))
    if (word == "tex" || word == "latex" || word == "math" || word.starts_with("mwe-math-fallback-image"))
      return true;
  return false;
}

}  // namespace sheaf::html
