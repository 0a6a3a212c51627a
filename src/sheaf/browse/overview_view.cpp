#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/markup/svg_chart.h"

#include <algorithm>

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

}  // namespace sheaf::browse
