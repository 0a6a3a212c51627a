#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/markup/html_writer.h"

#include <algorithm>
#include <array>

namespace sheaf::browse {
namespace {

constexpr std::size_t kOverviewRows = 12;

void write_card(markup::HtmlWriter& out, std::string_view label, std::string_view value,
                std::string_view detail, const markup::OwnPath& path) {
  out.open_link(path, {{"class", "card"}});
  out.element("span", label, {{"class", "label"}})
      .element("strong", value)
      .element("span", detail, {{"class", "muted"}});
  out.close();
}

void write_cards(markup::HtmlWriter& out, const StoreOverview& overview) {
  out.open("div", {{"class", "cards"}});
  write_card(
      out, "Sites", base::human_count(overview.sites.size()),
      overview.failing == 0 ? "all pulls succeed" : base::human_count(overview.failing) + " failing",
      overview.failing == 0 ? markup::OwnPath("/sites") : markup::OwnPath("/sites").with("state", "failing"));
  write_card(out, "Pages", base::human_count(overview.pages), base::human_size(overview.bytes) + " of JSON",
             markup::OwnPath("/pages"));
  const std::string proof =
      base::human_count(overview.proven) + " proven" +
      (overview.differs > 0 ? ", " + base::counted(overview.differs, "differs", "differ") : "");
  write_card(out, "Sections", base::human_count(overview.sections), proof, markup::OwnPath("/sites"));
  write_card(out, "Changes", base::human_count(overview.changes), "follow them live",
             markup::OwnPath("/changes"));
  out.close();
}

template <class Value>
std::vector<std::uint64_t> values_of(const std::vector<OverviewDay>& days, Value value) {
  std::vector<std::uint64_t> values;
  for (const OverviewDay& day : days) values.push_back(value(day.sum));
  return values;
}

void write_charts(markup::HtmlWriter& out, const StoreOverview& overview) {
  std::vector<std::string> dates;
  for (const OverviewDay& day : overview.days) dates.push_back(day.date);
  out.open("div", {{"class", "charts"}});
  markup::write_bar_chart(out, {"Pages", dates, base::human_count},
                          {{"pages", values_of(overview.days, [](const auto& day) { return day.pages; })}});
  markup::write_bar_chart(
      out, {"Changes per day", dates, base::human_count},
      {{"new", values_of(overview.days, [](const auto& day) { return day.added; })},
       {"changed", values_of(overview.days, [](const auto& day) { return day.changed; })},
       {"removed", values_of(overview.days, [](const auto& day) { return day.removed; })}});
  markup::write_bar_chart(out, {"Bytes per day", dates, base::human_size},
                          {{"pulled", values_of(overview.days, [](const auto& day) { return day.bytes; })},
                           {"page by page (estimate)",
                            values_of(overview.days, [](const auto& day) { return day.crawl_bytes; })}});
  std::vector<std::string> labels = {"JSON of all pages", "Store on disk"};
  std::vector<std::uint64_t> sizes = {overview.bytes, overview.disk_bytes};
  if (overview.index) {
    labels.emplace_back("Search index");
    sizes.push_back(overview.index->disk_bytes);
  }
  write_share_chart(out, {"Disk", labels, base::human_size}, sizes);
  out.close();
}

std::string_view proof_kind(const std::optional<bool>& proven) {
  return !proven ? "plain" : *proven ? "good" : "bad";
}

}  // namespace

void write_sections(markup::HtmlWriter& out, const std::vector<const store::SectionState*>& sections,
                    Instant now, bool with_site) {
  out.open("div", {{"class", "wide"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Sections"}});
  out.open("table", {{"class", "rows"}}).open("thead").open("tr");
  if (with_site) out.element("th", "Site", {{"scope", "col"}});
  for (const std::string_view name : {"Section", "Pages", "As of", "Changed", "State", "From"})
    out.element("th", name, {{"scope", "col"}});
  out.close().close().open("tbody");
  for (const store::SectionState* section : sections) {
    out.open("tr");
    if (with_site)
      out.open("td").link(markup::OwnPath("/site").with("site", section->site), section->site).close();
    out.open("td");
    out.link(markup::OwnPath("/pages").with("site", section->site).with("section", section->section),
             section->section, {{"data-row"}});
    out.close().element("td", base::human_count(section->pages), {{"class", "number"}});
    out.open("td");
    write_age(out, section->generated, now);
    out.close().open("td");
    write_age(out, section->changed_at, now);
    out.close().open("td");
    write_badge(out, proof_kind(section->proven), describe_proof(section->proven));
    out.close().element("td", store::to_string(section->origin)).close();
  }
  out.close().close().close();
}

void write_failures(markup::HtmlWriter& out, const std::vector<const SiteSummary*>& sites, Instant now) {
  out.open("div",
           {{"class", "wide"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Failing sites"}});
  out.open("table", {{"class", "rows"}}).open("thead").open("tr");
  for (const std::string_view name : {"Site", "Reason", "Last attempt", "Next attempt"})
    out.element("th", name, {{"scope", "col"}});
  out.close().close().open("tbody");
  for (const SiteSummary* site : sites) {
    const SiteFailure& failure = *site->failure;
    out.open("tr")
        .open("td")
        .link(markup::OwnPath("/site").with("site", site->site), site->site, {{"data-row"}})
        .close();
    out.open("td", {{"dir", "auto"}}).text(failure.reason);
    if (!failure.code.empty()) out.text(" ").element("code", failure.code);
    if (failure.times > 1) out.text(", " + base::counted(failure.times, "time", "times") + " in a row");
    out.close().open("td");
    write_age(out, failure.last, now);
    out.close().open("td");
    if (failure.next)
      write_time(out, *failure.next);
    else
      out.text("not scheduled");
    out.close().close();
  }
  out.close().close().close();
}

base::Result<ViewReply> overview_view(const ViewContext& context, const RequestValues& /*values*/) {
  SHEAF_TRY_ASSIGN(const auto overview, context.store->overview());
  std::vector<const SiteSummary*> failing;
  std::vector<const store::SectionState*> sections;
  for (const SiteSummary& site : overview->sites) {
    if (site.failure && failing.size() < kOverviewRows) failing.push_back(&site);
    for (const store::SectionState& section : site.sections) sections.push_back(&section);
  }
  const std::size_t shown = std::min(sections.size(), kOverviewRows);
  std::ranges::partial_sort(sections, sections.begin() + static_cast<std::ptrdiff_t>(shown), std::greater<>(),
                            [](const store::SectionState* section) { return section->changed_at; });
  sections.resize(shown);
  markup::HtmlWriter out;
  begin_frame(out, context.parts(), {.title = "Overview", .place = AppPlace::overview});
  out.element("h1", "Overview");
  write_cards(out, *overview);
  if (!failing.empty()) {
    out.open("section").element("h2", "Failing sites");
    write_failures(out, failing, overview->now);
    if (overview->failing > failing.size())
      out.open("p").link(markup::OwnPath("/sites").with("state", "failing"), "All failing sites").close();
    out.close();
  }
  out.open("section").element("h2", "The last 30 days");
  write_charts(out, *overview);
  out.close().open("section").element("h2", "Sections, last changed first");
  if (sections.empty())
    out.open("p", {{"class", "notice"}})
        .text("The store is empty. ")
        .element("code", "sheaf pull https://example.com")
        .text(" fills it.")
        .close();
  else
    write_sections(out, sections, overview->now, true);
  if (overview->sections > shown) out.open("p").link(markup::OwnPath("/sites"), "All sites").close();
  out.close();
  return ViewReply{.body = end_frame(std::move(out))};
}

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
