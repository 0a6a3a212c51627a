#include "sheaf/doctor/doctor_report.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/markup/html_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::doctor {
namespace {

/// Recognises the server that sends collections; if there are none, the server of the sitemap or of
/// robots.txt.
ServerKind server_of(const SiteFacts& facts) {
  for (const CollectionFacts& collection : facts.collections)
    if (collection.get.is_ok()) return recognise_server(collection.get.head);
  if (!facts.sitemaps.files.empty()) return recognise_server(facts.sitemaps.files.front().head);
  return recognise_server(facts.robots.get.head);
}

std::uint64_t count_read(const SiteFacts& facts) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      facts.collections,
      [](const CollectionFacts& collection) { return collection.validation.has_value(); }));
}

std::optional<SnapshotSaving> find_saving(const SiteFacts& facts) {
  SnapshotSaving saving;
  for (const SectionFacts& section : facts.sections)
    if (section.complete && section.snapshot_size > 0 && section.pages > saving.pages)
      saving = {.section = section.name, .pages = section.pages, .snapshot_bytes = section.snapshot_size};
  for (const PageFacts& page : facts.pages) {
    if (!page.in_collection || page.fate != crawl::PageOutcome::stored) continue;
    ++saving.sampled;
    saving.page_bytes += page.bytes;
  }
  if (saving.pages == 0 || saving.sampled == 0) return std::nullopt;
  saving.page_bytes = saving.page_bytes / saving.sampled * saving.pages;
  return saving;
}

}  // namespace

std::string describe_saving(const SnapshotSaving& saving) {
  return fmt::format("section {}: {} in a snapshot of {}; one by one they take about {} (estimated from {})",
                     saving.section, base::counted(saving.pages, "page", "pages"),
                     base::human_size(saving.snapshot_bytes), base::human_size(saving.page_bytes),
                     base::counted(saving.sampled, "page", "pages"));
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::advice: break;
  }
  return "advice";
}

std::vector<const Check*> all_checks() {
  std::vector<const Check*> all;
  for (const auto checks : {robots_checks(), sitemap_checks(), listing_checks(), transfer_checks(),
                            caching_checks(), content_checks(), page_checks()})
    for (const Check& check : checks) all.push_back(&check);
  return all;
}

std::uint64_t DoctorReport::count(Severity severity) const {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      findings, [&](const Diagnosis& finding) { return finding.check->severity == severity; }));
}

DoctorReport diagnose(const SiteFacts& facts) {
  DoctorReport report;
  report.site = facts.site.href();
  report.checked_at = facts.now;
  for (const Check* check : all_checks()) {
    ++report.checks;
    Diagnosis diagnosis{.check = check};
    check->judge(facts, [&](std::string_view url, std::string detail) {
      if (++diagnosis.count <= kListedPlaces)
        diagnosis.places.push_back({std::string(url), std::move(detail)});
    });
    if (diagnosis.count > 0) report.findings.push_back(std::move(diagnosis));
  }
  std::ranges::stable_sort(report.findings, {},
                           [](const Diagnosis& finding) { return finding.check->severity; });
  report.unchecked = facts.unchecked;
  report.server = server_of(facts);
  report.sitemaps = facts.sitemaps.files.size();
  report.offered = facts.sitemaps.advertised.collections.size();
  report.collections = count_read(facts);
  for (const SectionFacts& section : facts.sections) report.pages += section.pages;
  report.requests = facts.requests;
  report.bytes = facts.bytes;
  report.saving = find_saving(facts);
  return report;
}

namespace {

using markup::HtmlWriter;

constexpr const char* kStyle = R"(
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 52rem; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0; }
article { border: 1px solid #ccc; border-left-width: .4rem; border-radius: .3rem; margin: 1rem 0; padding: .8rem 1rem; }
.error { border-left-color: #b3261e; } .warning { border-left-color: #b26a00; } .advice { border-left-color: #3367d6; }
.good { border-left-color: #1b7f3b; }
.kind { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: #555; }
ul { padding-left: 1.2rem; } li, code { overflow-wrap: anywhere; } code, pre { font-size: .9em; }
summary { cursor: pointer; } dt { font-weight: 600; } dd { margin: 0 0 .5rem 0; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } .kind { color: #aaa; } }
)";

void write_places(HtmlWriter& out, const Diagnosis& finding) {
  out.open("ul");
  for (const Occurrence& place : finding.places)
    out.open("li").element("code", place.url).text(": ").text(place.detail).close();
  if (finding.count > finding.places.size())
    out.element("li", fmt::format("and {} more", base::human_count(finding.count - finding.places.size())));
  out.close();
}

void write_fixes(HtmlWriter& out, Remedy remedy) {
  out.element("p", advice_of(remedy));
  out.open("details").element("summary", "Settings of servers").open("dl");
  for (const ServerKind server : kServers) {
    const std::string_view fix = fix_for(remedy, server);
    const std::string_view sentence = fix.substr(0, fix.find('\n'));
    out.element("dt", display_name(server)).open("dd").text(sentence);
    if (sentence.size() < fix.size()) out.element("pre", fix.substr(sentence.size() + 1));
    out.close();
  }
  out.close().close();
}

void write_finding(HtmlWriter& out, const Diagnosis& finding) {
  const Check& check = *finding.check;
  const std::string_view severity = to_string(check.severity);
  out.open("article", {{"class", severity}, {"id", check.code}});
  out.element("span", fmt::format("{} {}", severity, check.code), {{"class", "kind"}});
  out.element("h2", check.title).element("p", check.explanation);
  write_places(out, finding);
  write_fixes(out, check.remedy);
  out.close();
}

}  // namespace

std::string report_as_html(const DoctorReport& report) {
  HtmlWriter out;
  out.open("html", {{"lang", "en"}}).open("head").open("meta", {{"charset", "utf-8"}});
  out.open("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  out.open("meta", {{"name", "robots"}, {"content", "noindex"}});
  out.element("title", "sheaf doctor").inline_style(kStyle).close();
  out.open("body").element("h1", report.site);
  out.element(
      "p", fmt::format("{}; {} checks: {}, {}, {}. {} requests, {}.", format_time(report.checked_at),
                       report.checks, base::counted(report.count(Severity::error), "error", "errors"),
                       base::counted(report.count(Severity::warning), "warning", "warnings"),
                       base::counted(report.count(Severity::advice), "piece of advice", "pieces of advice"),
                       report.requests, base::human_size(report.bytes)));
  out.element("p", fmt::format("{}, {} of {} collections read, {} in them.",
                               base::counted(report.sitemaps, "sitemap", "sitemaps"), report.collections,
                               report.offered, base::counted(report.pages, "page", "pages")));
  if (report.saving) out.element("p", describe_saving(*report.saving) + ".");
  if (report.findings.empty())
    out.open("article", {{"class", "good"}}).element("h2", "Nothing to fix").close();
  for (const Diagnosis& finding : report.findings) write_finding(out, finding);
  if (!report.unchecked.empty()) {
    out.element("h2", "Not checked").open("ul");
    for (const std::string& reason : report.unchecked) out.element("li", reason);
    out.close();
  }
  return std::move(out).take_document();
}

}  // namespace sheaf::doctor
