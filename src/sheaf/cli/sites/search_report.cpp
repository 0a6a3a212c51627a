#include "sheaf/cli/sites/search_report.h"

#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/search/search_index.h"

#include <fmt/format.h>

namespace sheaf::cli {
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
