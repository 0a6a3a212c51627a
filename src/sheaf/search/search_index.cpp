#include "sheaf/search/search_index.h"

namespace sheaf::search {
namespace {

constexpr std::size_t kDayBytes = std::string_view("2026-01-31").size();

void append_or_null(format::JsonWriter& out, std::string_view key, const std::string& value) {
  if (value.empty())
    out.null(key);
  else
    out.string(key, value);
}

void append_hit_json(format::JsonWriter& out, const SearchHit& hit) {
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
  for (const SnippetPart& part : hit.snippet.parts)
    out.begin_object().string("text", part.text).boolean("match", part.matches).end_object();
  out.end_array().end_object();
}

}  // namespace

void append_results_json(format::JsonWriter& out, const SearchResults& results) {
  out.number("total", results.total).boolean("estimated", results.is_estimate).begin_array("results");
  for (const SearchHit& hit : results.hits) append_hit_json(out, hit);
  out.end_array();
  append_or_null(out, "next", results.next);
  append_or_null(out, "suggestion", results.suggestion);
  out.boolean("cut", results.is_cut).number("behind", results.behind);
}

HitLines describe_hit(const SearchHit& hit, const ShowText& show) {
  HitLines lines;
  lines.title = show(hit.title.empty() ? hit.url : hit.title, false);
  lines.url = show(hit.url, false);
  lines.date = show(hit.modified.substr(0, kDayBytes), false);
  for (const std::string& heading : hit.snippet.headings)
    lines.headings += (lines.headings.empty() ? "" : " > ") + show(heading, false);
  for (const SnippetPart& part : hit.snippet.parts) lines.snippet += show(part.text, part.matches);
  return lines;
}

}  // namespace sheaf::search
