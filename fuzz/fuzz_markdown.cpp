// Any bytes are a Markdown page, and what comes out holds together:
// - every text of the page is valid UTF-8, and the page has its required fields;
// - the parts of the front matter point into the text, and there are not more settings than the text has;
// - printed as Markdown and read again, the blocks are the same (but for what Markdown cannot say).
#include "fuzz_support.h"
#include "sheaf/extract/extract.h"
#include "sheaf/markdown/front_matter.h"
#include "sheaf/markdown/page_markdown.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace sheaf;
using sheaf::fuzz::inside;
using sheaf::fuzz::require;

void check_front_matter(std::string_view text) {
  const markdown::FrontMatterParts parts = markdown::split_front_matter(text);
  require(inside(parts.settings, text) && inside(parts.body, text));
  require(parts.settings.size() + parts.body.size() <= text.size());
  static Arena arena;
  arena.clear();
  std::size_t size = 0;
  // An escape in a value can stand for more bytes than it has, but never for many times as many.
  if (parts.language)
    for (const auto& setting : settings::parse_settings(parts.settings, *parts.language, arena).settings)
      size += setting.value.size();
  require(size <= 4 * text.size() + 64);
}

struct AllTexts {
  std::vector<std::string_view> texts;

  void operator()(const TextBlock& block) { texts = {block.text}; }
  void operator()(const HeadingBlock& block) { texts = {block.text}; }
  void operator()(const LinkBlock& block) { texts = {block.url, block.text}; }
  void operator()(const ImageBlock& block) { texts = {block.url, block.alt}; }
  void operator()(const ListBlock& block) { texts.assign(block.items.begin(), block.items.end()); }
  void operator()(const CodeBlock& block) { texts = {block.code, block.language.value_or("")}; }
  void operator()(const TableBlock& block) {
    texts.clear();
    for (const auto& row : block.rows) texts.insert(texts.end(), row.begin(), row.end());
  }
  void operator()(const QuoteBlock& block) { texts = {block.text, block.citation.value_or("")}; }
  void operator()(const auto&) { texts.clear(); }
};

bool is_plain_text(std::string_view text) {
  // White space that Markdown or HTML would take for something else, and formulas' own backslashes, do not
  // come from words; nor do control characters.
  return std::ranges::none_of(text,
                              [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; }) &&
         text.find("  ") == std::string_view::npos && text.find("\n\n") == std::string_view::npos &&
         text.find("\n ") == std::string_view::npos && text.find(" \n") == std::string_view::npos;
}

/// Blocks whose text Markdown can say exactly. Raw HTML can put preformatted or empty things where Markdown
/// has no way to.
bool is_exact_in_markdown(const Block& block) {
  if (std::holds_alternative<CodeBlock>(block.kind)) {
    const auto& code = std::get<CodeBlock>(block.kind);
    return code.code.find_first_of(std::string_view("\0\r", 2)) == std::string_view::npos;
  }
  if (const auto* list = std::get_if<ListBlock>(&block.kind))
    return std::ranges::all_of(list->items, [](std::string_view item) {
      return is_plain_text(item.substr(std::min(item.find_first_not_of(' '), item.size())));
    });
  if (const auto* quote = std::get_if<QuoteBlock>(&block.kind))
    return !quote->citation && is_plain_text(quote->text);
  const bool simple = std::holds_alternative<TextBlock>(block.kind) ||
                      std::holds_alternative<HeadingBlock>(block.kind) ||
                      std::holds_alternative<TableBlock>(block.kind);
  if (!simple) return false;
  const auto* heading = std::get_if<HeadingBlock>(&block.kind);
  if (heading != nullptr && heading->text.find('\n') != std::string_view::npos) return false;
  AllTexts all;
  std::visit(all, block.kind);
  return std::ranges::all_of(all.texts, is_plain_text);
}

void check_round_trip(const Page& page, const extract::ExtractOptions& options) {
  if (!std::ranges::all_of(page.content, is_exact_in_markdown)) return;
  Page untitled = page;
  untitled.title = "";
  const std::string markdown = markdown::page_markdown(untitled);
  static extract::Extractor extractor;
  const extract::Extraction& again = extractor.extract_markdown(markdown, options);
  require(again.merged_blocks > 0 || again.page.content == page.content);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::as_text(data, size);
  check_front_matter(input);
  static extract::Extractor extractor;
  extract::ExtractOptions options;
  options.url = "https://example.com/docs/page.md";
  const extract::Extraction& result = extractor.extract_markdown(input, options);
  const Page& page = result.page;
  for (const std::string_view field :
       {page.url, page.title, page.description, page.language, page.author.value_or("")})
    require(fuzz::is_valid_utf8(field));
  require(!page.url.empty() && !page.title.empty() && !page.language.empty() && page.content.size() <= 1000);
  for (const std::string& problem : result.problems) require(fuzz::is_valid_utf8(problem));
  AllTexts all;
  for (const Block& block : page.content) {
    std::visit(all, block.kind);
    require(std::ranges::all_of(all.texts, fuzz::is_valid_utf8));
  }
  require(fuzz::is_valid_utf8(markdown::page_markdown(page)));
  if (result.merged_blocks == 0) check_round_trip(page, options);
  return 0;
}
