#include "sheaf/extract/blocks/block_inline.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/escaping.h"
#include "sheaf/extract/blocks/block_text.h"
#include "sheaf/extract/blocks/math_tex.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

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
  constexpr std::pair<std::string_view, std::string_view> kMarks[] = {
      {"$$", "$$"}, {"$", "$"}, {"\\(", "\\)"}, {"\\[", "\\]"}};
  for (const auto& [open, close] : kMarks)
    if (tex.size() > open.size() + close.size() && tex.starts_with(open) && tex.ends_with(close)) {
      tex = text::trim_space(tex.substr(open.size(), tex.size() - open.size() - close.size()));
      break;
    }
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
  const bool display =
      document.attribute(math, "display") == "block" || document.attribute(math, "display") == "true";
  std::string source;
  if (const html::NodeId annotation = tex_annotation(document, math); annotation != html::kNoNode) {
    html::append_text_content(document, annotation, source);
    return write_tex(source, display, out);
  }
  for (const std::string_view name : {"alttext", "data-latex", "data-tex"})
    if (const auto alt = document.attribute(math, name); alt && !text::trim_space(*alt).empty())
      return write_tex(*alt, display, out);
  write_shown_formula(document, math, source);
  write_tex(source, display, out);
}

namespace {

constexpr std::size_t kMostInFormula = 5000;  // nodes

/// The first element of that name inside, or before the end of a formula of usual size.
html::NodeId find_in_formula(const html::Document& document, html::NodeId root, std::string_view name) {
  std::size_t seen = 0;
  for (const html::NodeId node : html::Descendants(document, root)) {
    if (document.is_element(node) && document.name_text(node) == name) return node;
    if (++seen > kMostInFormula) break;
  }
  return html::kNoNode;
}

html::NodeId next_element(const html::Document& document, html::NodeId node) {
  do node = document.next(node);
  while (node != html::kNoNode && !document.is_element(node));
  return node;
}

bool is_tex_script(const html::Document& document, html::NodeId node) {
  return document.is_html(node, html::Name::script) &&
         document.attribute(node, html::Name::type).value_or("").starts_with("math/tex");
}

/// The source in an attribute of the element.
std::string_view source_attribute(const html::Document& document, html::NodeId element) {
  for (const std::string_view name :
       {"data-math", "data-tex", "data-latex", "data-formula", "data-equation", "data-katex", "data-expr"})
    if (const auto value = document.attribute(element, name); value && !text::trim_space(*value).empty())
      return *value;
  return {};
}

/// MathML that an attribute has as text.
void write_mathml_text(std::string_view mathml, bool display, std::string& out) {
  html::Document inside;
  html::ParseOptions options;
  options.fragment = html::FragmentContext{.name = "div"};
  html::parse(mathml, options, inside);
  const html::NodeId math = find_in_formula(inside, inside.root(), "math");
  if (math == html::kNoNode) return;
  std::string source;
  write_math(inside, math, source);
  write_tex(source, display, out);
}

}  // namespace

FormulaForm formula_form(const html::Document& document, html::NodeId element, std::string_view classes) {
  std::string_view rest = classes;
  const std::string_view word = text::take_word(rest);
  if (word == "katex-html") return FormulaForm::rendered;
  if (word == "ql-formula") return FormulaForm::rendered;
  if (word == "MathJax_Preview") {
    const html::NodeId next = next_element(document, element);
    const bool shown =
        next != html::kNoNode &&
        (is_tex_script(document, next) ||
         formula_form(document, next, document.attribute(next, html::Name::class_).value_or("")) !=
             FormulaForm::none);
    return shown ? FormulaForm::rendered : FormulaForm::none;
  }
  if (word.starts_with("MathJax") || word.starts_with("mjx-chtml") || word.starts_with("MJXc") ||
      word == "mwe-math-element")
    return word == "mwe-math-element" ? FormulaForm::none : FormulaForm::rendered;
  if (word == "math") {
    const html::NodeId text = document.first_child(element);
    const bool is_tex = (text::has_word(rest, "inline", text::TextCase::exact) ||
                         text::has_word(rest, "display", text::TextCase::exact)) &&
                        document.kind(text) == html::NodeKind::text && document.next(text) == html::kNoNode;
    if (is_tex) return FormulaForm::text;
  }
  return FormulaForm::none;
}

bool write_rendered(const html::Document& document, html::NodeId element, std::string& out) {
  out.clear();
  std::string_view classes = document.attribute(element, html::Name::class_).value_or("");
  const bool display = classes.find("isplay") != std::string_view::npos ||
                       document.attribute(element, "display") == "true" ||
                       document.attribute(element, "data-type") == "blockMath" ||
                       document.attribute(element, "data-math-style") == "display";
  if (classes.starts_with("math ") || document.attribute(element, "data-math-style")) {
    std::string source;
    html::append_text_content(document, element, source);
    write_tex(source, display, out);
    return true;
  }
  if (const std::string_view source = source_attribute(document, element); !source.empty()) {
    write_tex(source, display, out);
    return true;
  }
  const std::string_view word = text::take_word(classes);
  if (word == "ql-formula") {
    write_tex(document.attribute(element, "data-value").value_or(""), false, out);
    return !out.empty();
  }
  if (word == "katex-html") {
    // Its source is right before it, if the page has it.
    const html::NodeId before = document.previous(element);
    if (before != html::kNoNode && find_in_formula(document, before, "math") != html::kNoNode) return true;
    std::string source;
    write_katex_formula(document, element, source);
    const html::NodeId around = document.parent(document.parent(element));
    write_tex(source, html::has_class(document, around, "katex-display"), out);
    return true;
  }
  if (word == "MathJax_Preview") return true;
  const html::NodeId next = next_element(document, element);
  if (next != html::kNoNode && is_tex_script(document, next)) return true;  // the script is the formula
  if (const html::NodeId script = find_in_formula(document, element, "script");
      script != html::kNoNode && is_tex_script(document, script)) {
    std::string source;
    html::append_text_content(document, script, source);
    write_tex(source, document.attribute(script, html::Name::type)->find("display") != std::string_view::npos,
              out);
    return true;
  }
  if (const html::NodeId math = find_in_formula(document, element, "math"); math != html::kNoNode) {
    std::string source;
    write_math(document, math, source);
    write_tex(source, display || source.starts_with("$$"), out);
    return true;
  }
  if (const auto mathml = document.attribute(element, "data-mathml")) {
    write_mathml_text(*mathml, display, out);
    return true;
  }
  // On the outermost element of the formula, if anywhere.
  std::size_t seen = 0;
  for (const html::NodeId node : html::Descendants(document, element)) {
    constexpr std::size_t kOutermost = 8;
    if (++seen > kOutermost) break;
    if (const auto latex = document.attribute(node, "data-latex")) {
      write_tex(*latex, display, out);
      return true;
    }
    if (const auto inside = document.attribute(node, "data-mathml")) {
      write_mathml_text(*inside, display, out);
      return true;
    }
  }
  std::string source;
  write_shown_formula(document, element, source);
  write_tex(source, display, out);
  return !out.empty();
}

bool has_formula_data(const html::Document& document) {
  for (const std::string_view name : {"data-math", "data-tex", "data-latex", "data-formula", "data-equation",
                                      "data-katex", "data-expr", "data-math-style"})
    if (document.names().find(name) != html::Name::none) return true;
  return false;
}

bool is_formula_data(const html::Document& document, html::NodeId element) {
  return document.attribute(element, "data-math-style") || !source_attribute(document, element).empty();
}

bool read_formula(const html::Document& document, html::NodeId text, std::string& out) {
  const std::string_view tex = text::trim_space(document.text(text));
  if (tex.size() < 5 || tex.front() != '\\') return false;
  const bool display = tex.starts_with("\\[") && tex.ends_with("\\]");
  if (!display && !(tex.starts_with("\\(") && tex.ends_with("\\)"))) return false;
  write_tex(tex.substr(2, tex.size() - 4), display, out);
  return true;
}

namespace {

/// The value of a parameter of a URL; nullopt if it has none of that name.
std::optional<std::string> parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    if (part.size() > name.size() && part.starts_with(name) && part[name.size()] == '=') {
      std::string value(part.substr(name.size() + 1));
      std::ranges::replace(value, '+', ' ');
      return base::percent_decode(value);
    }
    query.remove_prefix(std::min(query.size(), part.size() + 1));
  }
  return std::nullopt;
}

/// The formula in the URL of a program that draws formulas; empty if it is no such URL.
std::string tex_of_url(std::string_view url) {
  constexpr std::size_t kMaxUrl = 8000;
  if (url.size() > kMaxUrl) return {};
  if (const std::size_t at = url.find("upmath.me/"); at != std::string_view::npos)
    return base::percent_decode(url.substr(std::min(url.size(), url.find('/', at + 10) + 1)));
  const std::size_t mark = url.find('?');
  if (mark == std::string_view::npos) return {};
  const std::string_view path = url.substr(0, mark);
  const std::string_view query = url.substr(mark + 1);
  const auto has = [path](std::string_view part) { return path.find(part) != std::string_view::npos; };
  if (has("codecogs.com") || has("mimetex") || has("mathtex") || has("numberempire") || has("latex2png")) {
    std::string tex = base::percent_decode(query);
    for (const std::string_view name : {"&space;", "&plus;"})
      for (std::size_t at = tex.find(name); at != std::string::npos; at = tex.find(name, at))
        tex.replace(at, name.size(), name == "&plus;" ? "+" : " ");
    for (const std::string_view style : {"\\inline", "\\large", "\\Large", "\\small", "\\dpi{"})
      if (tex.starts_with(style)) tex.erase(0, style.back() == '{' ? tex.find('}') + 1 : style.size());
    return tex;
  }
  if (has("chart") && parameter(query, "cht") != "tx") return {};
  const bool draws =
      has("latex") || has("tex") || has("math") || has("equation") || has("chart") || has("formula");
  if (!draws) return {};
  for (const std::string_view name : {"latex", "tex", "math", "chl", "from", "formula", "inline", "eq"})
    if (const auto value = parameter(query, name)) return *value;
  return {};
}

}  // namespace

bool write_tex_image(const html::Document& document, html::NodeId image, std::string& out) {
  out.clear();
  const std::string_view alt = text::trim_space(document.attribute(image, html::Name::alt).value_or(""));
  std::string_view classes = document.attribute(image, html::Name::class_).value_or("");
  constexpr std::array<std::string_view, 8> kClasses = {"tex",
                                                        "latex",
                                                        "math",
                                                        "latexcenter",
                                                        "inlineformula",
                                                        "displayformula",
                                                        "numberedequation",
                                                        "ql-img-inline-formula"};
  bool is_formula = alt.size() > 2 && alt.front() == '$' && alt.back() == '$';
  bool display = false;
  for (std::string_view word = text::take_word(classes); !word.empty(); word = text::take_word(classes)) {
    is_formula = is_formula || std::ranges::find(kClasses, word) != kClasses.end() ||
                 word.starts_with("mwe-math-fallback-image") || word.starts_with("ql-img-");
    display = display || word == "latexcenter" || word == "displayformula" ||
              word.find("-display") != std::string_view::npos;
  }
  if (is_formula && !alt.empty()) {
    write_tex(alt, display, out);
    return true;
  }
  const std::string tex = tex_of_url(document.attribute(image, html::Name::src).value_or(""));
  write_tex(tex, display, out);
  return !out.empty();
}

}  // namespace sheaf::extract
