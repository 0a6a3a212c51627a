#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/search/results_text.h"

namespace sheaf::browse {
namespace {

base::Result<SearchRequest> read_request(const RequestValues& values) {
  SearchRequest request;
  request.query = values.text("q");
  request.site = values.text("site");
  request.section = values.text("section");
  request.language = values.text("lang");
  SHEAF_TRY_ASSIGN(request.since, parse_time_value(values.text("since"), "since"));
  request.title_only = !values.text("title").empty();
  request.limit = values.number("limit", 20, 1, kMaxSearchResults);
  request.cursor = values.text("cursor");
  return request;
}

void write_search_filter(markup::HtmlWriter& out, const RequestValues& values) {
  out.open_form(markup::OwnPath("/search"), markup::FormMethod::get, {{"class", "filter"}, {"id", "search"}});
  write_field(out, {.name = "q",
                    .label = "Words, \"phrases\", -exclusions, OR, prefix*",
                    .value = values.text("q"),
                    .type = "search"});
  write_field(out, {.name = "site", .label = "Site", .value = values.text("site"), .hint = "example.com"});
  write_field(out, {.name = "section", .label = "Section", .value = values.text("section")});
  write_field(out, {.name = "lang", .label = "Language", .value = values.text("lang"), .hint = "en"});
  write_field(
      out, {.name = "since", .label = "Modified since", .value = values.text("since"), .hint = "2026-01-31"});
  out.open("p", {{"class", "field check"}});
  if (values.text("title").empty())
    out.open("input", {{"type", "checkbox"}, {"id", "f-title"}, {"name", "title"}, {"value", "1"}});
  else
    out.open("input",
             {{"type", "checkbox"}, {"id", "f-title"}, {"name", "title"}, {"value", "1"}, {"checked"}});
  out.element("label", "Only titles", {{"for", "f-title"}}).close();
  out.element("button", "Search").close();
}

void write_found(markup::HtmlWriter& out, const SearchHit& hit) {
  out.open("li");
  out.link(page_path(hit.site, hit.section, hit.url), hit.title.empty() ? hit.url : hit.title,
           {{"data-row"}, {"dir", "auto"}});
  out.open("p", {{"class", "muted"}}).element("span", hit.url, {{"class", "url"}}).text(" ");
  out.element("time", hit.modified.substr(0, 10)).close();
  const search::HitLines lines =
      search::describe_hit(hit, [](std::string_view text, bool /*is_match*/) { return std::string(text); });
  if (!lines.headings.empty()) out.element("p", lines.headings, {{"class", "path"}, {"dir", "auto"}});
  if (!hit.snippet.parts.empty()) {
    out.open("p", {{"dir", "auto"}});
    for (const SnippetPart& part : hit.snippet.parts)
      part.matches ? out.element("mark", part.text) : out.text(part.text);
    out.close();
  }
  out.close();
}

void write_results(markup::HtmlWriter& out, const RequestValues& values, const SearchResults& results) {
  out.open("p", {{"id", "count"}, {"class", "muted"}, {"role", "status"}});
  if (results.hits.empty())
    out.text(results.is_cut ? "No page with the phrase among those checked" : "Nothing found");
  else
    out.text((results.is_estimate ? "about " : "") + base::counted(results.total, "page", "pages"));
  if (results.behind > 0)
    out.text("; the index lacks the newest " + base::counted(results.behind, "change", "changes"));
  out.close();
  if (!results.suggestion.empty())
    out.open("p")
        .text("Did you mean ")
        .link(markup::OwnPath("/search").with("q", results.suggestion), results.suggestion)
        .text("?")
        .close();
  out.open("ol", {{"id", "results"}, {"class", "pages"}});
  for (const SearchHit& hit : results.hits) write_found(out, hit);
  out.close();
  markup::OwnPath next = markup::OwnPath("/search");
  next = next.with("q", values.text("q"))
             .with("site", values.text("site"))
             .with("section", values.text("section"));
  next = next.with("lang", values.text("lang"))
             .with("since", values.text("since"))
             .with("title", values.text("title"));
  next = next.with("cursor", results.next);
  if (!results.next.empty())
    out.open("nav", {{"class", "paging"}, {"aria-label", "More results"}, {"id", "more"}})
        .link(next, "Next", {{"rel", "next"}})
        .close();
}

}  // namespace

base::Result<ViewReply> search_view(const ViewContext& context, const RequestValues& values) {
  const std::string_view query = values.text("q");
  markup::HtmlWriter out;
  const std::string title = query.empty() ? std::string("Search") : "Search: " + std::string(query);
  begin_frame(out, context.parts(), {.title = title, .place = AppPlace::search, .query = query});
  out.element("h1", "Search");
  write_search_filter(out, values);
  SearchResults results;
  auto request = read_request(values);
  base::Result<SearchResults> found =
      request ? SearchResults() : base::Result<SearchResults>(std::unexpected(request.error()));
  if (request && !query.empty()) found = context.store->search(*request);
  out.open("div", {{"id", "found"}});
  if (!found) {
    out.element("p", found.error().message, {{"class", "notice"}, {"id", "count"}, {"role", "status"}});
    out.open("ol", {{"id", "results"}, {"class", "pages"}}).close();
  } else if (query.empty()) {
    out.element("p", "", {{"id", "count"}, {"class", "muted"}, {"role", "status"}})
        .open("ol", {{"id", "results"}, {"class", "pages"}})
        .close();
  } else {
    write_results(out, values, *found);
  }
  return ViewReply{.body = end_frame(std::move(out))};
}

base::Result<ViewReply> search_json(const ViewContext& context, const RequestValues& values) {
  format::JsonWriter out;
  out.begin_object();
  const auto request = read_request(values);
  const auto results = request ? context.store->search(*request) : std::unexpected(request.error());
  if (results)
    search::append_results_json(out, *results);
  else
    out.string("error", results.error().message);
  out.end_object();
  return ViewReply{.body = out.text(), .content_type = "application/json"};
}

}  // namespace sheaf::browse
