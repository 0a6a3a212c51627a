#include "sheaf/markdown/markdown.h"

#include "sheaf/base/ascii.h"
#include "sheaf/markdown/costly_marks.h"
#include "sheaf/markdown/markdown_dialects.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>

namespace sheaf::markdown {
namespace {

constexpr int kOptions = CMARK_OPT_UNSAFE | CMARK_OPT_FOOTNOTES;

constexpr const char* kTable = "table";
constexpr const char* kOtherExtensions[] = {"strikethrough", "autolink", "tasklist"};

struct FreeNode {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
struct FreeParser {
  void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
};
struct FreeText {
  void operator()(char* text) const { cmark_get_default_mem_allocator()->free(text); }
};

/// cmark-gfm has a process-wide table of the characters that begin extension markup, and changes it before
/// and after each text. So only one thread at a time may parse inlines.
std::mutex& inline_mutex() {
  static std::mutex mutex;
  return mutex;
}

cmark_syntax_extension* find_extension(const char* name) {
  static std::once_flag registered;
  std::call_once(registered, cmark_gfm_core_extensions_ensure_registered);
  return cmark_find_syntax_extension(name);
}

/// If a line may be the delimiter row of a table, `| --- | :-: |`, possibly in a quote or list item, returns
/// the number of columns, else 0.
std::size_t delimiter_columns(std::string_view line) {
  if (line.find_first_not_of(" \t\r|:->*+.)0123456789") != std::string_view::npos) return 0;
  if (line.find('-') == std::string_view::npos) return 0;
  return static_cast<std::size_t>(std::ranges::count(line, '|')) + 1;
}

/// Whether the tables of a text have at most a few cells per byte of text and no very wide row. Every line
/// that may belong to the preceding table is counted as a row. Rows must not be wide because the time of
/// cmark-gfm is quadratic in the number of cells of a row.
bool are_tables_bounded(std::string_view text) {
  constexpr std::ptrdiff_t kColumns = 1000;
  constexpr std::size_t kCellsPerByte = 4;
  constexpr std::size_t kCellsAlways = std::size_t{64} * 1024;
  const std::size_t most = kCellsAlways + kCellsPerByte * text.size();
  std::size_t cells = 0;
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    if (base::trim_xml_space(line).empty()) {
      columns = 0;
    } else {
      columns = std::max(columns, delimiter_columns(line));
    }
    cells += columns;
    if (cells > most || std::ranges::count(line, '|') > kColumns) return false;
  }
  return true;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> marks) {
  return std::ranges::any_of(
      marks, [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
}

}  // namespace

bool render_markdown(std::string_view markdown, std::string& html, Flavour flavour) {
  std::string plain;
  if (flavour == Flavour::mdx ||
      has_any(markdown, {"{/*", "comment", "{{/*", "{{- /*", "{# ", "%%", "import ", "export "}))
    markdown = plain = remove_comments(markdown, flavour);
  if (has_any(markdown, {"{{", "{%"})) markdown = plain = convert_shortcodes(markdown);
  if (has_any(markdown, {":::", "!!! ", "??? ", "???+ ", "=== \"", " {#", " {.", " {:"}))
    markdown = plain = convert_admonitions(markdown);
  const bool may_define = has_any(markdown, {"\n: ", "\n:\t", "\n : ", "\n  : ", "\n   : "});
  if (may_define) markdown = plain = convert_definition_lists(markdown);
  if (has_any(markdown, {"$"})) markdown = plain = convert_formulas(markdown);
  std::string bounded;
  const bool has_hidden = hide_costly_marks(markdown, bounded);
  if (has_hidden) markdown = bounded;
  const std::unique_ptr<cmark_parser, FreeParser> parser(cmark_parser_new(kOptions));
  if (are_tables_bounded(markdown))
    cmark_parser_attach_syntax_extension(parser.get(), find_extension(kTable));
  for (const char* name : kOtherExtensions)
    cmark_parser_attach_syntax_extension(parser.get(), find_extension(name));
  cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
  std::unique_ptr<cmark_node, FreeNode> document;
  {
    const std::lock_guard lock(inline_mutex());
    document.reset(cmark_parser_finish(parser.get()));
  }
  const std::unique_ptr<char, FreeText> text(
      cmark_render_html(document.get(), kOptions, cmark_parser_get_syntax_extensions(parser.get())));
  html.assign(text.get());
  if (may_define) html = without_term_paragraphs(html);
  if (has_hidden) restore_hidden_marks(html);
  return !has_hidden;
}

}  // namespace sheaf::markdown
