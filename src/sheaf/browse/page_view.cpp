#include "sheaf/base/counted_text.h"
#include "sheaf/base/url.h"
#include "sheaf/browse/block_html.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/browse/code_colours.h"
#include "sheaf/browse/feed_reader.h"
#include "sheaf/browse/page_body.h"
#include "sheaf/browse/pretty_json.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <algorithm>
#include <array>
#include <map>

namespace sheaf::browse {
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
    write_badge(out, change->kind == store::ChangeKind::put ? "good" : "bad", describe_change(*change));
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

}  // namespace sheaf::browse
