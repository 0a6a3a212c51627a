#include "sheaf/base/counted_text.h"
#include "sheaf/base/url.h"
#include "sheaf/browse/block_html.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/browse/change_stream.h"
#include "sheaf/browse/page_body.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/search/search_index.h"

#include <algorithm>
#include <array>
#include <map>

namespace sheaf::browse {
namespace {

constexpr std::uint64_t kDefaultRows = 50;
constexpr std::uint64_t kMaxRows = 10'000;
/// Titles are shown for at most this many pages, because reading pages takes much longer than listing them.
constexpr std::uint64_t kMaxTitles = 200;
/// Number of entries that are read for one list. A filter finds the others.
constexpr std::uint64_t kMaxWalked = 1'000'000;

struct PageSelection {
  store::PageFilter filter;
  std::string_view since;
  std::string_view until;
  std::string_view url;
  std::uint64_t from = 0;
  std::uint64_t rows = kDefaultRows;

  [[nodiscard]] markup::OwnPath path() const {
    return markup::OwnPath("/pages")
        .with("site", filter.site)
        .with("section", filter.section)
        .with("url", url)
        .with("since", since)
        .with("until", until)
        .with("rows", rows == kDefaultRows ? std::string() : std::to_string(rows));
  }
};

struct ListedPages {
  std::vector<store::StoredPage> pages;
  bool has_more = false;
  bool is_cut = false;  ///< kMaxWalked was reached
};

base::Result<PageSelection> read_selection(const RequestValues& values) {
  PageSelection selection;
  selection.filter.site = values.text("site");
  selection.filter.section = values.text("section");
  selection.url = values.text("url");
  if (!selection.url.empty())
    selection.filter.url = selection.url.find('*') == std::string_view::npos
                               ? "*" + std::string(selection.url) + "*"
                               : std::string(selection.url);
  selection.since = values.text("since");
  selection.until = values.text("until");
  SHEAF_TRY_ASSIGN(selection.filter.modified_since, parse_time_value(selection.since, "since"));
  SHEAF_TRY_ASSIGN(selection.filter.modified_before, parse_time_value(selection.until, "before"));
  selection.filter.with_json = false;
  selection.from = values.number("from", 0, 0, kMaxWalked);
  selection.rows = values.number("rows", kDefaultRows, 1, kMaxRows);
  return selection;
}

base::Result<ListedPages> list_pages(const store::PageStore& store, const PageSelection& selection) {
  ListedPages listed;
  std::uint64_t walked = 0;
  SHEAF_TRY(store.each_page(selection.filter, [&](const store::StoredPage& page) -> base::Result<bool> {
    if (walked++ < selection.from) return true;
    listed.has_more = listed.pages.size() == selection.rows;
    listed.is_cut = walked > kMaxWalked;
    if (listed.has_more || listed.is_cut) return false;
    listed.pages.push_back(page);
    return true;
  }));
  return listed;
}

void write_page_filter(markup::HtmlWriter& out, const PageSelection& selection) {
  out.open_form(markup::OwnPath("/pages"), markup::FormMethod::get, {{"class", "filter"}});
  write_field(out, {.name = "url", .label = "URL contains", .value = selection.url, .hint = "/docs/*"});
  write_field(
      out, {.name = "site", .label = "Site", .value = selection.filter.site, .hint = "https://example.com"});
  write_field(out, {.name = "section", .label = "Section", .value = selection.filter.section});
  write_field(out,
              {.name = "since", .label = "Modified since", .value = selection.since, .hint = "2026-01-31"});
  write_field(out,
              {.name = "until", .label = "Modified before", .value = selection.until, .hint = "2026-01-31"});
  out.element("button", "Filter").close();
}

/// Returns an empty title if the page cannot be read: the list shows the page anyway.
std::string title_of(const store::PageStore& store, format::StoredPageDecoder& decoder,
                     const store::StoredPage& entry) {
  const auto stored = store.get(entry.site, entry.section, entry.url);
  if (!stored || !*stored) return {};
  const auto page = decoder((*stored)->json);
  return page ? std::string((*page)->title.substr(0, 500)) : std::string();
}

void write_page_rows(markup::HtmlWriter& out, const store::PageStore& store, const ListedPages& listed) {
  format::StoredPageDecoder decoder(format::Detail::checks);
  const bool with_titles = listed.pages.size() <= kMaxTitles;
  out.open("ol", {{"class", "pages"}});
  for (const store::StoredPage& page : listed.pages) {
    const markup::OwnPath path = page_path(page.site, page.section, page.url);
    out.open("li");
    const std::string title = with_titles ? title_of(store, decoder, page) : std::string();
    out.link(path, title.empty() ? page.url : title, {{"data-row"}, {"dir", "auto"}});
    out.open("p", {{"class", "muted"}});
    if (!title.empty()) out.element("span", page.url, {{"class", "url"}}).text(" ");
    out.element("span", page.section).text(" ").element("time", page.modified.substr(0, 10)).close().close();
  }
  out.close();
}

}  // namespace

markup::OwnPath page_path(std::string_view site, std::string_view section, std::string_view url) {
  return markup::OwnPath("/page").with("site", site).with("section", section).with("url", url);
}

base::Result<std::optional<Instant>> parse_time_value(std::string_view text, std::string_view field) {
  if (text.empty()) return std::nullopt;
  const auto parsed = parse_time(text.size() == 10 ? std::string(text) + "T00:00:00Z" : std::string(text));
  if (!parsed)
    return base::fail(base::Errc::invalid_argument,
                      "\"" + std::string(text.substr(0, 60)) + "\" in the field " + std::string(field) +
                          " is not a date, as 2026-01-31, or a time, as 2026-01-31T08:00:00Z");
  return parsed->instant;
}

base::Result<ViewReply> pages_view(const ViewContext& context, const RequestValues& values) {
  SHEAF_TRY_ASSIGN(const PageSelection selection, read_selection(values));
  SHEAF_TRY_ASSIGN(const auto store, context.store->read());
  SHEAF_TRY_ASSIGN(const ListedPages listed, list_pages(*store, selection));
  markup::HtmlWriter out;
  begin_frame(out, context.parts(), {.title = "Pages", .place = AppPlace::pages});
  out.element("h1", selection.filter.site.empty() ? "Pages" : "Pages of " + selection.filter.site);
  write_page_filter(out, selection);
  write_page_rows(out, *store, listed);
  const std::uint64_t end = selection.from + listed.pages.size();
  std::string where = listed.pages.empty()
                          ? std::string("no page matches")
                          : base::human_count(selection.from + 1) + " to " + base::human_count(end);
  if (listed.is_cut) where += "; only the first million pages are listed, a filter finds the others";
  const std::uint64_t before = selection.from < selection.rows ? 0 : selection.from - selection.rows;
  const markup::OwnPath previous = before == 0 ? selection.path() : selection.path().with("from", before);
  const markup::OwnPath next = selection.path().with("from", end);
  write_paging(out, selection.from > 0 ? &previous : nullptr, listed.has_more ? &next : nullptr, where);
  return ViewReply{.body = end_frame(std::move(out))};
}

namespace {

/// Number of changes that are searched for the history of a page.
constexpr std::uint64_t kHistoryDepth = 100'000;

base::Result<std::optional<store::StoredPage>> find_stored(const store::PageStore& store,
                                                           const RequestValues& values) {
  const std::string_view site = values.text("site");
  const std::string_view section = values.text("section");
  const std::string_view url = values.text("url");
  if (!site.empty() && !section.empty()) return store.get(site, section, url);
  SHEAF_TRY_ASSIGN(auto page, store.get(url, site));
  if (page) return page;
  // The URL is looked up as given, then in the form in which a browser would send it.
  const auto parsed = base::Url::parse(url);
  if (!parsed) return std::nullopt;
  return store.get(parsed->href(), site);
}

void write_provenance(markup::HtmlWriter& out, const store::PageStore& store, const store::StoredPage& stored,
                      const Page& page) {
  const auto section = store.section(stored.site, stored.section);
  out.open("dl", {{"class", "facts"}});
  out.element("dt", "URL").open("dd").web_link(stored.url, stored.url).close();
  out.element("dt", "Site")
      .open("dd")
      .link(markup::OwnPath("/site").with("site", stored.site), stored.site)
      .close();
  write_fact(out, "Section", stored.section);
  if (section && *section) {
    write_fact(out, "Section comes from", store::to_string((*section)->origin));
    write_fact(out, "Section as of", format_time((*section)->generated));
    if ((*section)->snapshot) write_fact(out, "Newest snapshot applied", format_time(*(*section)->snapshot));
    write_fact(out, "State of the section", describe_proof((*section)->proven));
  }
  write_fact(out, "Modified, as the page says", stored.modified);
  write_fact(out, "Learned with the state of", format_time(stored.as_of));
  if (stored.fetched.seconds > 0) write_fact(out, "Stored", format_time(stored.fetched));
  write_fact(out, "Size", base::human_size(stored.json.size()) + " of JSON");
  std::map<std::string_view, std::uint64_t> kinds;
  for (const Block& block : page.content) ++kinds[type_name(block).substr(0, 40)];
  std::string blocks;
  for (const auto& [kind, count] : kinds)
    blocks += (blocks.empty() ? "" : ", ") + base::human_count(count) + " " + std::string(kind);
  write_fact(out, "Blocks", blocks.empty() ? "none" : blocks);
  if (page.canonical) write_fact(out, "Canonical URL", *page.canonical);
  out.close();
}

base::Result<void> write_history(markup::HtmlWriter& out, const store::PageStore& store,
                                 const store::StoredPage& stored) {
  SHEAF_TRY_ASSIGN(const FeedRange range, newest_changes(store, kHistoryDepth));
  std::vector<store::StoreChange> found;
  SHEAF_TRY(store.changes(range.since, [&](const store::StoreChange& change) {
    if (change.url == stored.url && change.site == stored.site) found.push_back(change);
    return true;
  }));
  if (found.empty())
    out.element("p", "None of the changes that were searched is of this page.", {{"class", "notice"}});
  out.open("ol", {{"class", "history"}});
  for (auto change = found.rbegin(); change != found.rend(); ++change) {
    out.open("li").element("span", "#" + std::to_string(change->sequence), {{"class", "muted"}}).text(" ");
    write_badge(out, change->kind != store::ChangeKind::removed ? "good" : "bad", describe_change(*change));
    out.text(" in ").element("strong", change->section).text(": ");
    out.text(change->old_modified.empty() ? "new" : change->old_modified).text(" to ");
    out.text(change->new_modified.empty() ? "removed" : change->new_modified).close();
  }
  out.close();
  out.element("p",
              "The newest " + base::human_count(range.last.total() - range.since.total()) +
                  " changes of the store were searched.",
              {{"class", "muted"}});
  return {};
}

}  // namespace

base::Result<ViewReply> page_view(const ViewContext& context, const RequestValues& values) {
  SHEAF_TRY_ASSIGN(const auto store, context.store->read());
  SHEAF_TRY_ASSIGN(const auto stored, find_stored(*store, values));
  if (!stored)
    return ViewReply{
        .status = 404,
        .body = notice_page(context.parts(), "No such page",
                            "The store has no page with that URL; use the search to find pages.")};
  format::StoredPageDecoder decoder(format::Detail::everything);
  const auto page = decoder(stored->json);
  const std::string_view tab = page ? values.text("tab") : "json";
  markup::HtmlWriter out;
  const std::string_view title =
      page && !(*page)->title.empty() ? (*page)->title : std::string_view(stored->url);
  begin_frame(out, context.parts(), {.title = title, .place = AppPlace::pages});
  if (!page) out.element("p", "The page cannot be read: " + page.error(), {{"class", "notice"}});
  write_page_head(out, title, stored->url);
  const markup::OwnPath self = page_path(stored->site, stored->section, stored->url);
  write_tabs(out, self, tab,
             {{"", "Content"},
              {"markdown", "Markdown"},
              {"json", "JSON"},
              {"source", "Provenance"},
              {"history", "History"}});
  if (tab == "source") {
    write_provenance(out, *store, *stored, **page);
  } else if (tab == "history") {
    SHEAF_TRY(write_history(out, *store, *stored));
  } else {
    write_page_tab(out, tab, page ? *page : nullptr, stored->json);
  }
  return ViewReply{.body = end_frame(std::move(out))};
}

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
