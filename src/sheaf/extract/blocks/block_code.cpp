#include "sheaf/extract/blocks/block_code.h"

#include "sheaf/base/ascii.h"
#include "sheaf/html/dom.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

namespace sheaf::extract {
namespace {

// Only these names count as languages if the class has no prefix (`hljs python`, `sourceCode haskell`), or if
// it is on a wrapper and may mean something else (`lang-en`). Sorted.
// clang-format off
constexpr std::array<std::string_view, 150> kLanguages = {
    "abap", "actionscript", "ada", "apache", "applescript", "arduino", "asciidoc", "asm",
    "assembly", "awk", "bash", "bat", "batch", "bibtex", "c", "c#", "c++", "cfg", "clojure",
    "cmake", "cmd", "cobol", "coffee", "coffeescript", "console", "cpp", "cs", "csharp", "css",
    "csv", "cuda", "d", "dart", "delphi", "diff", "django", "docker", "dockerfile", "dot", "elixir",
    "elm", "erb", "erlang", "f#", "fish", "fortran", "fsharp", "gherkin", "glsl", "go", "golang",
    "gradle", "graphql", "groovy", "haml", "handlebars", "haskell", "hcl", "hlsl", "hs", "html",
    "http", "ini", "ipython", "ipython3", "irb", "java", "javascript", "jinja", "js", "json",
    "json5", "jsonc", "jsx", "julia", "kotlin", "kt", "latex", "less", "lisp", "lua", "make",
    "makefile", "markdown", "matlab", "md", "mermaid", "nasm", "nginx", "nim", "nix", "objc",
    "objective-c", "objectivec", "ocaml", "pascal", "perl", "pgsql", "php", "plpgsql", "postgresql",
    "powershell", "prolog", "properties", "proto", "protobuf", "ps1", "psql", "puppet", "py",
    "pycon", "python", "python3", "qml", "r", "racket", "rb", "rst", "ruby", "rust", "sass",
    "scala", "scheme", "scss", "sed", "sh", "shell", "shell-session", "solidity", "sql", "svelte",
    "swift", "systemverilog", "tcl", "terraform", "tex", "toml", "ts", "tsx", "typescript", "vb",
    "vbnet", "verilog", "vhdl", "vim", "vue", "wasm", "xml", "yaml", "yml"};
// clang-format on
static_assert(std::ranges::is_sorted(kLanguages));

// What highlighters write if there is no language.
constexpr std::array<std::string_view, 14> kNoLanguage = {
    "auto", "code",  "default",   "guess", "literal", "no-highlight", "nohighlight",
    "none", "plain", "plaintext", "raw",   "text",    "txt",          "unknown"};
static_assert(std::ranges::is_sorted(kNoLanguage));

// Class prefixes before a language, longest first where one begins another.
constexpr std::array<std::string_view, 12> kPrefixes = {"language-",
                                                        "lang:",
                                                        "lang-",
                                                        "highlight-source-",
                                                        "highlight-text-",
                                                        "highlight-",
                                                        "mw-highlight-lang-",
                                                        "source-",
                                                        "src-",
                                                        "brush-",
                                                        "prism-",
                                                        "code-"};

// Classes that indicate a highlighter, so that another class without a prefix may be a language.
constexpr std::array<std::string_view, 14> kHighlighters = {
    "chroma",   "codehilite", "example", "highlight",  "hljs", "mw-geshi",          "prettyprint",
    "pygments", "shiki",      "source",  "sourceCode", "src",  "syntaxhighlighter", "wp-block-code"};

// Classes of line numbers and buttons inside preformatted text.
constexpr auto kDecoration = std::to_array<std::string_view>({"CodeMirror-gutter-wrapper",
                                                              "CodeMirror-gutters",
                                                              "CodeMirror-linenumber",
                                                              "ace_gutter",
                                                              "blob-num",
                                                              "btn-clipboard",
                                                              "clipboard",
                                                              "cm-gutters",
                                                              "code-block-filename",
                                                              "code-copy",
                                                              "codeLineNumber",
                                                              "copy",
                                                              "copy-btn",
                                                              "copy-button",
                                                              "copybtn",
                                                              "crayon-nums",
                                                              "crayon-title",
                                                              "crayon-toolbar",
                                                              "ec-gutter",
                                                              "gutter",
                                                              "hljs-copy",
                                                              "hljs-ln-numbers",
                                                              "js-line-number",
                                                              "line-anchor",
                                                              "line-num",
                                                              "line-number",
                                                              "line-numbers-rows",
                                                              "lineno",
                                                              "linenos",
                                                              "linenr",
                                                              "linenumber",
                                                              "linenumbers",
                                                              "lines-code",
                                                              "ln",
                                                              "lnt",
                                                              "margin",
                                                              "number-line",
                                                              "react-syntax-highlighter-line-number",
                                                              "rouge-gutter",
                                                              "src-line-numbers",
                                                              "toolbar",
                                                              "zeroclipboard"});

// Classes of columns of line numbers. `line-numbers` is not sufficient evidence by itself, because one
// highlighter puts it on the code.
constexpr std::array<std::string_view, 12> kNumberColumn = {
    "gutter", "gl",  "line-numbers", "linenodiv", "lineno",       "linenos",
    "lntd",   "lnt", "linenumbers",  "line",      "rouge-gutter", "src-line-numbers"};

constexpr std::size_t kMaxClassesLength =
    1024;                                  // bytes; a wrapper's classes are read for each code inside it
constexpr std::size_t kWrapperLevels = 6;  // pre, td, tr, tbody, table, figure: the deepest in use

/// A quick check whether a word may be in a list. A table has, for each first letter, the sizes of the list's
/// words as bits; this rejects most words.
template <const auto& words>
bool may_contain(std::string_view word) {
  constexpr auto row_of = [](std::string_view any) { return static_cast<unsigned char>(any.front()) % 32U; };
  constexpr auto size_bit = [](std::string_view any) { return std::uint32_t{1} << (any.size() % 32U); };
  constexpr auto kSizes = [=] {
    std::array<std::uint32_t, 32> sizes{};
    for (const std::string_view listed : words) sizes[row_of(listed)] |= size_bit(listed);
    return sizes;
  }();
  return !word.empty() && (kSizes[row_of(word)] & size_bit(word)) != 0;
}

template <const auto& words>
bool contains(std::string_view word) {
  return may_contain<words>(word) && std::ranges::find(words, word) != words.end();
}

std::string_view classes_of(const html::Document& document, html::NodeId element) {
  return document.attribute(element, html::Name::class_).value_or("").substr(0, kMaxClassesLength);
}

bool is_language_char(char c) {
  return base::is_alphanumeric(c) || c == '+' || c == '#' || c == '-' || c == '_' || c == '.';
}

/// The name of a language in lowercase, without what follows it: `js{1,3}`, `cpp;gutter:true`.
std::string_view normal_language(std::string_view value, std::string& out) {
  constexpr std::size_t kMaxLength = 40;
  out.clear();
  for (const char c : value.substr(0, kMaxLength)) {
    if (!is_language_char(c)) break;
    out += text::lower_ascii(c);
  }
  return out;
}

bool is_known(std::string_view language) {
  return may_contain<kLanguages>(language) && std::ranges::binary_search(kLanguages, language);
}
bool is_none(std::string_view language) { return contains<kNoLanguage>(language); }

/// Which element a class is on. On the code itself, any value after a prefix `lang...` is a language.
enum class Trust : std::uint8_t { code, wrapper };

/// The language of the first class that has one after a prefix. Empty if a class only says that there is
/// none; nullopt if no class says anything.
std::optional<std::string_view> prefixed_language(std::string_view classes, Trust trust, std::string& out) {
  bool none = false;  // "prism-code language-js": a later class may still have one
  for (std::string_view word = text::take_word(classes); !word.empty(); word = text::take_word(classes)) {
    const auto* const prefix =
        std::ranges::find_if(kPrefixes, [word](std::string_view listed) { return word.starts_with(listed); });
    if (prefix == kPrefixes.end()) continue;
    const std::string_view language = normal_language(word.substr(prefix->size()), out);
    none = none || is_none(language);
    if (is_none(language)) continue;
    const bool certain = prefix->starts_with("lang") && trust == Trust::code;
    if (!language.empty() && (certain || is_known(language))) return language;
  }
  return none ? std::optional<std::string_view>("") : std::nullopt;
}

/// The language in a class attribute like `brush: cpp; gutter: true`, which is not a list of words.
std::optional<std::string_view> brush_language(std::string_view classes, std::string& out) {
  constexpr std::string_view kBrush = "brush:";
  const std::size_t at = classes.find(kBrush);
  if (at == std::string_view::npos) return std::nullopt;
  classes.remove_prefix(at + kBrush.size());
  const std::string_view language = normal_language(text::take_word(classes), out);
  return is_none(language) ? std::string_view() : language;
}

std::optional<std::string_view> bare_language(std::string_view classes, Trust trust, std::string& out) {
  bool highlighter = trust == Trust::code;
  for (std::string_view rest = classes; !highlighter;) {
    const std::string_view word = text::take_word(rest);
    if (word.empty()) return std::nullopt;
    highlighter = contains<kHighlighters>(word);
  }
  for (std::string_view rest = classes;;) {
    const std::string_view word = text::take_word(rest);
    if (word.empty()) return std::nullopt;
    if (is_known(normal_language(word, out))) return out;
  }
}

/// The attributes that may name a language. They are collected in one pass, because every code element and
/// all its wrappers are checked.
struct DeclaredLanguage {
  std::string_view lang;
  std::string_view language;
  std::string_view classes;
};

DeclaredLanguage read_declared(const html::Document& document, html::NodeId element) {
  DeclaredLanguage declared;
  for (const html::Attribute& attribute : document.attributes(element)) {
    if (attribute.name == html::Name::class_) declared.classes = document.value(attribute);
    if (html::index_of(attribute.name) < html::kKnownNames) continue;
    const std::string_view name = document.names().text(attribute.name);
    if (name == "data-lang" || name == "data-enlighter-language") declared.lang = document.value(attribute);
    if (name == "data-language") declared.language = document.value(attribute);
    if (name == "data-syntaxhighlighter-params") declared.classes = document.value(attribute);
  }
  return declared;
}

/// The language that one element declares. nullopt if it declares nothing; empty if it declares that there is
/// none.
std::optional<std::string_view> language_of(const html::Document& document, html::NodeId element, Trust trust,
                                            std::string& out) {
  const DeclaredLanguage declared = read_declared(document, element);
  for (const std::string_view value : {declared.lang, declared.language}) {
    if (value.empty()) continue;
    const std::string_view language = normal_language(value, out);
    if (is_none(language)) return "";
    if (!language.empty()) return language;
  }
  const std::string_view classes = declared.classes.substr(0, kMaxClassesLength);
  if (classes.empty()) return std::nullopt;
  if (const auto brush = brush_language(classes, out)) return brush;
  if (classes.find_first_of("-:") != std::string_view::npos)  // all prefixes end with one of these
    if (const auto language = prefixed_language(classes, trust, out)) return language;
  return bare_language(classes, trust, out);
}

bool ends_wrapping(html::Name name) {
  return name == html::Name::body || name == html::Name::article || name == html::Name::main ||
         name == html::Name::section || name == html::Name::li || name == html::Name::dd;
}

/// Whether a text consists of consecutive numbers.
bool counts_up(std::string_view text) {
  std::optional<std::uint32_t> last;
  for (std::string_view word = text::take_word(text); !word.empty(); word = text::take_word(text)) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) return false;
    if (last && number != *last + 1) return false;
    last = number;
  }
  return last.has_value();
}

/// Whether the next cell of the row begins with preformatted text: highlighters without classes write this.
bool is_before_code(const html::Document& document, html::NodeId cell) {
  constexpr std::size_t kLooked = 4;  // nodes: white space, a div or two, the pre
  html::NodeId next = document.next(cell);
  while (next != html::kNoNode && !document.is_element(next)) next = document.next(next);
  if (next == html::kNoNode) return false;
  std::size_t looked = 0;
  for (const html::NodeId node : html::Descendants(document, next)) {
    if (document.is_html(node, html::Name::pre)) return true;
    if (++looked == kLooked) break;
  }
  return false;
}

}  // namespace

std::string_view code_language(const html::Document& document, html::NodeId pre, std::string& out) {
  // A code element contains all of the code, so it is among the first children.
  constexpr std::size_t kFirstChildren = 16;
  std::size_t children = 0;
  bool found = false;
  // mdBook puts a `pre` around the real one, and buttons between them.
  if (const html::NodeId inner = document.first_child(pre); document.is_html(inner, html::Name::pre))
    pre = inner;
  for (html::NodeId child = document.first_child(pre); child != html::kNoNode && children < kFirstChildren;
       child = document.next(child), ++children) {
    if (!document.is_html(child, html::Name::code)) continue;
    found = true;
    if (const auto language = language_of(document, child, Trust::code, out)) return *language;
    break;
  }
  // Below a bar with buttons.
  std::size_t inside = 0;
  for (const html::NodeId node : html::Descendants(document, pre)) {
    if (found || ++inside > 2 * kFirstChildren) break;
    if (!document.is_html(node, html::Name::code)) continue;
    if (const auto language = language_of(document, node, Trust::code, out)) return *language;
    break;
  }
  if (const auto language = language_of(document, pre, Trust::code, out)) return *language;
  std::size_t level = 0;
  for (const html::NodeId wrapper : html::Ancestors(document, pre)) {
    if (++level > kWrapperLevels || ends_wrapping(document.name(wrapper))) break;
    if (const auto language = language_of(document, wrapper, Trust::wrapper, out)) return *language;
  }
  return {};
}

bool is_code_element(const html::Document& document, html::NodeId element, std::string_view classes) {
  std::string_view rest = classes;
  const std::string_view word = text::take_word(rest);
  if (word == "CodeMirror-code" || word == "ace_text-layer" || word == "view-lines" || word == "crayon-pre")
    return true;
  const bool is_container =
      word == "container" && html::has_class(document, document.parent(element), "code");
  if (word != "fragment" && word != "cm-content" && !is_container) return false;
  // CodeMirror, Doxygen, and SyntaxHighlighter: each line is an element.
  html::NodeId child = document.first_child(element);
  while (child != html::kNoNode && !document.is_element(child)) child = document.next(child);
  if (child == html::kNoNode) return false;
  std::string_view line = document.attribute(child, html::Name::class_).value_or("");
  const std::string_view line_word = text::take_word(line);
  return line_word == "line" || line_word == "cm-line";
}

bool is_gutter(const html::Document& document, html::NodeId element, std::string_view classes) {
  bool named = false;
  for (std::string_view word = text::take_word(classes); !word.empty() && !named;
       word = text::take_word(classes)) {
    if (word == "crayon-toolbar") return true;
    named = word.starts_with("CodeMirror-gutter") || word == "ace_gutter" || word == "cm-gutters" ||
            word == "crayon-nums" || word == "gutter" || word == "margin" || word == "line-numbers-wrapper";
  }
  if (!named) return false;
  std::string numbers;
  for (const html::NodeId node : html::Descendants(document, element))
    if (document.kind(node) == html::NodeKind::text) numbers.append(document.text(node)).append(" ");
  return counts_up(numbers);
}

namespace {

/// The cell of a row whose text is the number of a line.
bool is_number_cell(const html::Document& document, html::NodeId cell) {
  if (document.attribute(cell, "data-line-number")) {
    const std::string_view classes = classes_of(document, cell);
    return classes.find("code") == std::string_view::npos || classes.find("num") != std::string_view::npos;
  }
  std::string_view classes = classes_of(document, cell);
  for (std::string_view word = text::take_word(classes); !word.empty(); word = text::take_word(classes))
    if (contains<kDecoration>(word) || contains<kNumberColumn>(word)) return true;
  return false;
}

}  // namespace

bool is_code_table(const html::Document& document, html::NodeId table) {
  constexpr std::size_t kLooked = 400;  // nodes
  std::size_t looked = 0;
  std::size_t rows = 0;
  for (const html::NodeId node : html::Descendants(document, table)) {
    if (++looked > kLooked) break;
    if (!document.is_html(node, html::Name::tr)) continue;
    html::NodeId cells[2] = {};
    std::size_t count = 0;
    for (html::NodeId child = document.first_child(node); child != html::kNoNode;
         child = document.next(child))
      if (document.is_html(child, html::Name::td) && count++ < 2) cells[count - 1] = child;
    if (count != 2 || !is_number_cell(document, cells[0]) || is_number_cell(document, cells[1])) return false;
    if (classes_of(document, cells[1]).find("code") == std::string_view::npos) return false;
    // Two cells with all lines are read as `pre`.
    std::string number;
    html::append_text_content(document, cells[0], number);
    if (number.find_first_of(" \n") != std::string::npos && counts_up(number)) return false;
    ++rows;
  }
  return rows > 1;
}

bool is_code_decoration(const html::Document& document, html::NodeId element) {
  const html::Name name = document.name(element);
  if (name == html::Name::button || name == html::Name::svg || name == html::Name::style ||
      name == html::Name::script)
    return true;
  std::string_view classes = classes_of(document, element);
  // Most elements in code are tokens, with a class of one or two letters.
  if (classes.size() < 3) return classes == "ln";
  while (!classes.empty()) {
    const std::string_view word = text::take_word(classes);
    if (contains<kDecoration>(word)) return true;
  }
  return name == html::Name::td && is_number_cell(document, element);
}

bool is_number_column(const html::Document& document, html::NodeId pre, std::string_view text) {
  if (!std::ranges::all_of(text, [](char c) { return base::is_digit(c) || text::is_space(c); })) return false;
  constexpr std::size_t kLevels = 3;  // the pre, a div around it, the cell
  html::NodeId node = pre;
  for (std::size_t level = 0; level < kLevels && node != html::kNoNode;
       ++level, node = document.parent(node)) {
    std::string_view classes = classes_of(document, node);
    for (std::string_view word = text::take_word(classes); !word.empty(); word = text::take_word(classes))
      if (contains<kNumberColumn>(word)) return true;
    if (document.is_html(node, html::Name::td)) return counts_up(text) && is_before_code(document, node);
  }
  return false;
}

}  // namespace sheaf::extract
