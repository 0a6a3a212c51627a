#include "sheaf/base/counted_text.h"
#include "sheaf/base/html_text.h"
#include "sheaf/doctor/doctor_report.h"

#include <fmt/format.h>

namespace sheaf::doctor {
namespace {

constexpr std::string_view kPageStart = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>sheaf doctor</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 52rem; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0; }
article { border: 1px solid #ccc; border-left-width: .4rem; border-radius: .3rem; margin: 1rem 0; padding: .8rem 1rem; }
.error { border-left-color: #b3261e; } .warning { border-left-color: #b26a00; } .advice { border-left-color: #3367d6; }
.good { border-left-color: #1b7f3b; }
.kind { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: #555; }
ul { padding-left: 1.2rem; } li, code { overflow-wrap: anywhere; } code { font-size: .9em; }
summary { cursor: pointer; } dt { font-weight: 600; } dd { margin: 0 0 .5rem 0; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } .kind { color: #aaa; } }
</style>
</head>
<body>
)";

void append_places(std::string& out, const Diagnosis& finding) {
  out += "<ul>\n";
  for (const Occurrence& place : finding.places)
    out += fmt::format("<li><code>{}</code>: {}</li>\n", base::visible_html(place.url),
                       base::visible_html(place.detail));
  if (finding.count > finding.places.size())
    out += fmt::format("<li>and {} more</li>\n", base::human_count(finding.count - finding.places.size()));
  out += "</ul>\n";
}

void append_fixes(std::string& out, Remedy remedy) {
  out += fmt::format("<p>{}</p>\n<details><summary>Settings of servers</summary>\n<dl>\n",
                     base::visible_html(advice_of(remedy)));
  for (const ServerKind server : kServers)
    out += fmt::format("<dt>{}</dt><dd><code>{}</code></dd>\n", base::visible_html(display_name(server)),
                       base::visible_html(fix_for(remedy, server)));
  out += "</dl></details>\n";
}

void append_finding(std::string& out, const Diagnosis& finding) {
  const Check& check = *finding.check;
  out += fmt::format(
      "<article class=\"{0}\" id=\"{1}\">\n<span class=\"kind\">{0} {1}</span>\n<h2>{2}</h2>\n<p>{3}</p>\n",
      to_string(check.severity), check.code, base::visible_html(check.title),
      base::visible_html(check.explanation));
  append_places(out, finding);
  append_fixes(out, check.remedy);
  out += "</article>\n";
}

}  // namespace

std::string report_as_html(const DoctorReport& report) {
  std::string out(kPageStart);
  out += fmt::format("<h1>{}</h1>\n<p>{}; {} checks: {}, {}, {}. {} requests, {}.</p>\n",
                     base::visible_html(report.site), format_time(report.checked_at), report.checks,
                     base::counted(report.count(Severity::error), "error", "errors"),
                     base::counted(report.count(Severity::warning), "warning", "warnings"),
                     base::counted(report.count(Severity::advice), "piece of advice", "pieces of advice"),
                     report.requests, base::human_size(report.bytes));
  out += fmt::format("<p>{}, {} of {} collections read, {} in them.</p>\n",
                     base::counted(report.sitemaps, "sitemap", "sitemaps"), report.collections,
                     report.offered, base::counted(report.pages, "page", "pages"));
  if (report.saving) out += fmt::format("<p>{}.</p>\n", base::visible_html(describe_saving(*report.saving)));
  if (report.findings.empty()) out += "<article class=\"good\"><h2>Nothing to fix</h2></article>\n";
  for (const Diagnosis& finding : report.findings) append_finding(out, finding);
  if (!report.unchecked.empty()) {
    out += "<h2>Not checked</h2>\n<ul>\n";
    for (const std::string& reason : report.unchecked)
      out += fmt::format("<li>{}</li>\n", base::visible_html(reason));
    out += "</ul>\n";
  }
  return out + "</body>\n</html>\n";
}

}  // namespace sheaf::doctor
