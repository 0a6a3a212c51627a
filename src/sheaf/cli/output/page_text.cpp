#include "sheaf/cli/output/page_text.h"

#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/search/search_index.h"

#include <fmt/format.h>

#include <variant>

namespace sheaf::cli {
namespace {

std::string line(Text text) { return printable(text, Lines::join); }

std::string indented(Text text, std::string_view indent) {
  std::string out;
  if (text.ends_with('\n')) text.remove_suffix(1);
  const std::string safe = printable(text, Lines::keep);
  for (std::size_t at = 0; at <= safe.size();) {
    const std::size_t end = std::min(safe.find('\n', at), safe.size());
    out += fmt::format("{}{}\n", indent, std::string_view(safe).substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string media_text(std::string_view kind, const Media& media) {
  const auto* one = std::get_if<Text>(&media.url);
  std::string out =
      fmt::format("[{}: {}] {}\n", kind, line(media.name),
                  line(one != nullptr ? *one : std::get<List<MediaLink>>(media.url).front().href));
  if (media.transcript) out += indented(*media.transcript, "  ");
  return out;
}

struct BlockText {
  std::string operator()(const TextBlock& block) const { return printable(block.text, Lines::keep) + "\n"; }
  std::string operator()(const HeadingBlock& block) const {
    return fmt::format("{} {}\n", std::string(static_cast<std::size_t>(block.level), '#'), line(block.text));
  }
  std::string operator()(const LinkBlock& block) const {
    return fmt::format("[{}] {}\n", line(block.text), line(block.url));
  }
  std::string operator()(const ImageBlock& block) const {
    return fmt::format("[image: {}] {}\n", line(block.alt), line(block.url));
  }
  std::string operator()(const ListBlock& block) const {
    std::string out;
    std::size_t number = 0;
    for (const Text item : block.items) {
      // Items of nested lists begin with a space and get neither bullet nor number.
      const bool inner = item.starts_with(' ');
      const std::string mark = inner ? "" : block.ordered ? fmt::format("{}. ", ++number) : "- ";
      out += fmt::format("{}{}\n", mark, line(item));
    }
    return out;
  }
  std::string operator()(const CodeBlock& block) const { return indented(block.code, "    "); }
  std::string operator()(const TableBlock& block) const {
    std::string out;
    for (const auto& row : block.rows) {
      for (std::size_t i = 0; i < row.size(); ++i)
        out += fmt::format("{}{}", i > 0 ? " | " : "", line(row[i]));
      out += '\n';
    }
    return out;
  }
  std::string operator()(const QuoteBlock& block) const {
    std::string out = indented(block.text, "> ");
    if (block.citation) out += fmt::format("> -- {}\n", line(*block.citation));
    return out;
  }
  std::string operator()(const VideoBlock& block) const { return media_text("video", *block.media); }
  std::string operator()(const AudioBlock& block) const { return media_text("audio", *block.media); }
  std::string operator()(const StructuredBlock& block) const {
    return fmt::format("[structured data, {}]\n", line(block.format));
  }
  std::string operator()(const UnknownBlock& block) const {
    return fmt::format("[unknown block: {}]\n", line(block.type));
  }
};

}  // namespace

std::string page_text(const Page& page) {
  std::string out;
  for (const Block& block : page.content) {
    if (!out.empty()) out += '\n';
    out += std::visit(BlockText{}, block.kind);
  }
  return out;
}

namespace {

std::string one_line(std::string_view text) { return printable(text, Lines::join); }

std::string describe_found(const SearchHit& hit) {
  const search::HitLines lines = search::describe_hit(hit, [](std::string_view text, bool is_match) {
    return is_match ? coloured(Colour::bold, one_line(text)) : one_line(text);
  });
  std::string text =
      fmt::format("{}\n  {}  {}\n", coloured(Colour::bold, lines.title), lines.url, lines.date);
  if (!lines.headings.empty()) text += fmt::format("  {}\n", coloured(Colour::dim, lines.headings));
  if (!lines.snippet.empty()) text += fmt::format("  {}\n", lines.snippet);
  return text;
}

}  // namespace

std::string describe_index(const search::IndexSummary& summary) {
  return fmt::format("{} indexed, {} removed; the index has {}, up to change {}",
                     counted(summary.indexed, "page", "pages"), human_count(summary.removed),
                     counted(summary.pages, "page", "pages"), summary.sequence.text());
}

std::string index_as_json(const search::IndexSummary& summary) {
  JsonOutput out;
  out.begin_report()
      .number("indexed", summary.indexed)
      .number("removed", summary.removed)
      .number("unreadable", summary.unreadable)
      .number("pages", summary.pages)
      .number("textBytes", summary.text_bytes)
      .raw("sequence", summary.sequence.json())
      .boolean("everyPage", summary.is_rebuilt)
      .end_object();
  return out.text();
}

std::string describe_results(const SearchResults& results) {
  std::string text;
  for (const SearchHit& hit : results.hits) text += describe_found(hit) + "\n";
  if (results.is_cut && results.hits.empty())
    text += "no page with the phrase among those checked\n";
  else if (results.hits.empty())
    text += "nothing found\n";
  else
    text += fmt::format("{} of {}{}\n", human_count(results.hits.size()), results.is_estimate ? "about " : "",
                        counted(results.total, "page", "pages"));
  if (!results.suggestion.empty()) text += fmt::format("did you mean: {}\n", one_line(results.suggestion));
  if (!results.next.empty()) text += fmt::format("more: --cursor {}\n", results.next);
  return text;
}

std::string results_as_json(const SearchRequest& request, const SearchResults& results) {
  JsonOutput out;
  out.begin_report().string("query", request.query);
  search::append_results_json(out, results);
  out.end_object();
  return out.text();
}

}  // namespace sheaf::cli
