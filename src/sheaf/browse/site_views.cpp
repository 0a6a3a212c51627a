#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"

#include <algorithm>
#include <array>

namespace sheaf::browse {
namespace {

constexpr std::size_t kSitesShown = 100;

struct SiteStateName {
  std::string_view value;
  std::string_view label;
};
constexpr std::array<SiteStateName, 4> kSiteStates = {{{"", "all sites"},
                                                       {"failing", "failing"},
                                                       {"differs", "differs from what is stated"},
                                                       {"empty", "without pages"}}};

bool is_selected(const SiteSummary& site, std::string_view text, std::string_view state) {
  if (!text.empty() && site.site.find(text) == std::string::npos) return false;
  if (state == "failing") return site.failure.has_value();
  if (state == "differs") return site.has_difference();
  if (state == "empty") return site.pages == 0;
  return true;
}

void write_site_filter(markup::HtmlWriter& out, std::string_view text, std::string_view state) {
  out.open_form(markup::OwnPath("/sites"), markup::FormMethod::get, {{"class", "filter"}});
  write_field(out, {.name = "q", .label = "Name contains", .value = text});
  out.open("p", {{"class", "field"}}).element("label", "State", {{"for", "f-state"}});
  out.open("select", {{"id", "f-state"}, {"name", "state"}});
  for (const SiteStateName& one : kSiteStates) {
    if (one.value == state)
      out.element("option", one.label, {{"value", one.value}, {"selected"}});
    else
      out.element("option", one.label, {{"value", one.value.empty() ? "all" : one.value}});
  }
  out.close().close().element("button", "Filter").close();
}

void write_site_row(markup::HtmlWriter& out, const SiteSummary& site, Instant now) {
  out.open("tr")
      .open("td")
      .link(markup::OwnPath("/site").with("site", site.site), site.site, {{"data-row"}})
      .close();
  out.element("td", base::human_count(site.pages), {{"class", "number"}});
  out.element("td", base::human_count(site.sections.size()), {{"class", "number"}}).open("td");
  if (site.changed) write_age(out, *site.changed, now);
  out.close().open("td");
  if (site.failure)
    write_badge(out, "bad", "failing");
  else if (site.has_difference())
    write_badge(out, "bad", "differs");
  else if (site.pages > 0)
    write_badge(out, "good", "current");
  else
    write_badge(out, "plain", "no pages");
  out.close().close();
}

}  // namespace

base::Result<ViewReply> sites_view(const ViewContext& context, const RequestValues& values) {
  SHEAF_TRY_ASSIGN(const auto overview, context.store->overview());
  const std::string_view text = values.text("q");
  const std::string_view state = values.text("state") == "all" ? "" : values.text("state");
  std::vector<const SiteSummary*> selected;
  for (const SiteSummary& site : overview->sites)
    if (is_selected(site, text, state)) selected.push_back(&site);
  const std::uint64_t from = values.number("from", 0, 0, selected.size());
  const std::uint64_t end = std::min<std::uint64_t>(selected.size(), from + kSitesShown);
  markup::HtmlWriter out;
  begin_frame(out, context.parts(), {.title = "Sites", .place = AppPlace::sites});
  out.element("h1", "Sites");
  write_site_filter(out, text, state);
  out.open("div", {{"class", "wide"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Sites"}});
  out.open("table", {{"class", "rows"}}).open("thead").open("tr");
  for (const std::string_view name : {"Site", "Pages", "Sections", "Changed", "State"})
    out.element("th", name, {{"scope", "col"}});
  out.close().close().open("tbody");
  for (std::uint64_t i = from; i < end; ++i) write_site_row(out, *selected[i], overview->now);
  out.close().close().close();
  const markup::OwnPath list = markup::OwnPath("/sites").with("q", text).with("state", state);
  const markup::OwnPath previous = list.with("from", from < kSitesShown ? 0 : from - kSitesShown);
  const markup::OwnPath next = list.with("from", end);
  const std::string where = selected.empty() ? std::string("no site matches")
                                             : base::human_count(from + 1) + " to " + base::human_count(end) +
                                                   " of " + base::counted(selected.size(), "site", "sites");
  write_paging(out, from > 0 ? &previous : nullptr, end < selected.size() ? &next : nullptr, where);
  return ViewReply{.body = end_frame(std::move(out))};
}

base::Result<ViewReply> site_view(const ViewContext& context, const RequestValues& values) {
  SHEAF_TRY_ASSIGN(const auto overview, context.store->overview());
  const auto found = std::ranges::find(overview->sites, values.text("site"),
                                       [](const SiteSummary& site) { return std::string_view(site.site); });
  if (found == overview->sites.end())
    return ViewReply{
        .status = 404,
        .body = notice_page(context.parts(), "No such site", "The store has no site of that name.")};
  markup::HtmlWriter out;
  begin_frame(out, context.parts(), {.title = found->site, .place = AppPlace::sites});
  out.element("h1", found->site);
  out.open("p").text(base::counted(found->pages, "page", "pages") + ", " + base::human_size(found->bytes) +
                     ". ");
  out.link(markup::OwnPath("/pages").with("site", found->site), "All pages").text(" ");
  out.web_link(found->site, "Visit the site").close();
  if (found->failure) {
    out.element("h2", "The last pull failed");
    write_failures(out, {&*found}, overview->now);
  }
  out.element("h2", "Sections");
  std::vector<const store::SectionState*> sections;
  for (const store::SectionState& section : found->sections) sections.push_back(&section);
  write_sections(out, sections, overview->now, false);
  return ViewReply{.body = end_frame(std::move(out))};
}

}  // namespace sheaf::browse
