#include "sheaf/cli/output/search_report.h"

#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

namespace sheaf::cli {
namespace {

constexpr std::size_t kDayLength = std::string_view("2026-01-31").size();

std::string one_line(std::string_view text) { return printable(text, Lines::join); }

std::string describe_snippet(const search::Snippet& snippet) {
  std::string line;
  for (const search::SnippetPart& part : snippet.parts)
    line += part.matches ? coloured(Colour::bold, one_line(part.text)) : one_line(part.text);
  return line;
}

std::string describe_hit(const search::SearchHit& hit) {
  const std::string title = hit.title.empty() ? hit.url : hit.title;
  std::string text = fmt::format("{}\n  {}  {}\n", coloured(Colour::bold, one_line(title)), one_line(hit.url),
                                 one_line(hit.modified.substr(0, kDayLength)));
  std::string path;
  for (const std::string& heading : hit.snippet.headings)
    path += (path.empty() ? "" : " > ") + one_line(heading);
  if (!path.empty()) text += fmt::format("  {}\n", coloured(Colour::dim, path));
  const std::string snippet = describe_snippet(hit.snippet);
  if (!snippet.empty()) text += fmt::format("  {}\n", snippet);
  return text;
}

void write_hit(JsonOutput& out, const search::SearchHit& hit) {
  out.begin_object()
      .string("title", hit.title)
      .string("url", hit.url)
      .string("site", hit.site)
      .string("section", hit.section)
      .string("modified", hit.modified)
      .string("language", hit.language)
      .decimal("score", hit.score)
      .begin_array("headings");
  for (const std::string& heading : hit.snippet.headings) out.element(heading);
  out.end_array().begin_array("snippet");
  for (const search::SnippetPart& part : hit.snippet.parts)
    out.begin_object().string("text", part.text).boolean("match", part.matches).end_object();
  out.end_array().end_object();
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

std::string describe_answer(const search::SearchAnswer& answer) {
  std::string text;
  for (const search::SearchHit& hit : answer.hits) text += describe_hit(hit) + "\n";
  if (answer.is_cut && answer.hits.empty())
    text += "no page with the phrase among those looked at\n";
  else if (answer.hits.empty())
    text += "nothing found\n";
  else
    text += fmt::format("{} of {}{}\n", human_count(answer.hits.size()), answer.is_estimate ? "about " : "",
                        counted(answer.total, "page", "pages"));
  if (!answer.suggestion.empty()) text += fmt::format("did you mean: {}\n", one_line(answer.suggestion));
  if (!answer.next.empty()) text += fmt::format("more: --cursor {}\n", answer.next);
  return text;
}

void write_answer(JsonOutput& out, const search::SearchAnswer& answer) {
  out.number("total", answer.total).boolean("estimated", answer.is_estimate).begin_array("results");
  for (const search::SearchHit& hit : answer.hits) write_hit(out, hit);
  out.end_array();
  if (answer.next.empty())
    out.null("next");
  else
    out.string("next", answer.next);
  if (answer.suggestion.empty())
    out.null("suggestion");
  else
    out.string("suggestion", answer.suggestion);
  out.boolean("cut", answer.is_cut).number("behind", answer.behind);
}

std::string answer_as_json(const search::SearchRequest& request, const search::SearchAnswer& answer) {
  JsonOutput out;
  out.begin_report().string("query", request.query);
  write_answer(out, answer);
  out.end_object();
  return out.text();
}

}  // namespace sheaf::cli
