#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <algorithm>

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

}  // namespace sheaf::browse
