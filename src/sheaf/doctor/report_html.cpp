#include "sheaf/base/counted_text.h"
#include "sheaf/doctor/doctor_report.h"
#include "sheaf/markup/html_writer.h"

#include <fmt/format.h>

namespace sheaf::doctor {
namespace {

using markup::HtmlWriter;

constexpr const char* kStyle = R"(
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 52rem; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0; }
article { border: 1px solid #ccc; border-left-width: .4rem; border-radius: .3rem; margin: 1rem 0; padding: .8rem 1rem; }
.error { border-left-color: #b3261e; } .warning { border-left-color: #b26a00; } .advice { border-left-color: #3367d6; }
.good { border-left-color: #1b7f3b; }
.kind { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: #555; }
ul { padding-left: 1.2rem; } li, code { overflow-wrap: anywhere; } code { font-size: .9em; }
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
  for (const ServerKind server : kServers)
    out.element("dt", display_name(server)).open("dd").element("code", fix_for(remedy, server)).close();
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
