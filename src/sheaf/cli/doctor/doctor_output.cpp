#include "sheaf/cli/doctor/doctor_output.h"

#include "sheaf/base/code_points.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

namespace sheaf::cli {
namespace {

using doctor::Diagnosis;
using doctor::DoctorReport;
using doctor::ServerKind;
using doctor::Severity;

std::string coloured_severity(Severity severity) {
  switch (severity) {
    case Severity::error: return coloured(Colour::red, "error");
    case Severity::warning: return coloured(Colour::yellow, "warning");
    case Severity::advice: break;
  }
  return coloured(Colour::dim, "advice");
}

/// Settings are below the sentence that says where they go.
std::string indented(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\n' ? "\n      " : std::string(1, c);
  return result;
}

std::string describe_finding(const Diagnosis& finding, ServerKind server) {
  const doctor::Check& check = *finding.check;
  std::string text = fmt::format("{}  {}  {}\n  {}\n", coloured_severity(check.severity),
                                 coloured(Colour::bold, check.code), check.title, check.explanation);
  for (const doctor::Occurrence& place : finding.places)
    text +=
        fmt::format("  - {}: {}\n", printable(place.url, Lines::join), printable(place.detail, Lines::join));
  if (finding.count > finding.places.size())
    text += fmt::format("  - and {} more\n", human_count(finding.count - finding.places.size()));
  text += fmt::format("  Fix: {}\n", doctor::advice_of(check.remedy));
  if (const auto fix = doctor::fix_for(check.remedy, server); !fix.empty())
    text += fmt::format("  {}: {}\n", doctor::display_name(server), indented(fix));
  return text + "\n";
}

void write_check(JsonOutput& out, const doctor::Check& check) {
  out.string("code", check.code)
      .string("severity", to_string(check.severity))
      .string("title", check.title)
      .string("explanation", check.explanation)
      .string("fix", doctor::advice_of(check.remedy));
  out.begin_object("servers");
  for (const ServerKind server : doctor::kServers)
    out.string(doctor::to_string(server), doctor::fix_for(check.remedy, server));
  out.end_object();
}

}  // namespace

std::string describe_diagnoses(const DoctorReport& report, ServerKind server) {
  std::string text;
  for (const Diagnosis& finding : report.findings) text += describe_finding(finding, server);
  for (const std::string& reason : report.unchecked)
    text += fmt::format("not checked: {}\n", printable(reason, Lines::join));
  text += fmt::format("{}: {}, {} of {} read, {}; {}, {}\n", printable(report.site, Lines::join),
                      counted(report.sitemaps, "sitemap", "sitemaps"), human_count(report.collections),
                      counted(report.offered, "collection", "collections"),
                      counted(report.pages, "page", "pages"), counted(report.requests, "request", "requests"),
                      human_size(report.bytes));
  if (report.saving) text += printable(describe_saving(*report.saving), Lines::join) + "\n";
  if (report.findings.empty())
    return text + fmt::format("{}: {}\n", counted(report.checks, "check", "checks"),
                              coloured(Colour::green, "nothing to fix"));
  return text + fmt::format("{} checks: {}, {}, {} of advice\n", report.checks,
                            counted(report.count(Severity::error), "error", "errors"),
                            counted(report.count(Severity::warning), "warning", "warnings"),
                            counted(report.count(Severity::advice), "piece", "pieces"));
}

std::string diagnoses_as_json(const DoctorReport& report) {
  JsonOutput out;
  out.begin_report().string("site", base::make_valid_utf8(report.site));
  out.string("checked", format_time(report.checked_at)).boolean("ok", report.findings.empty());
  out.string("server", doctor::to_string(report.server));
  out.number("checks", report.checks)
      .number("errors", report.count(Severity::error))
      .number("warnings", report.count(Severity::warning))
      .number("advice", report.count(Severity::advice));
  out.begin_array("findings");
  for (const Diagnosis& finding : report.findings) {
    out.begin_object();
    write_check(out, *finding.check);
    out.number("count", finding.count).begin_array("places");
    for (const doctor::Occurrence& place : finding.places)
      out.begin_object()
          .string("url", base::make_valid_utf8(place.url))
          .string("detail", base::make_valid_utf8(place.detail))
          .end_object();
    out.end_array().end_object();
  }
  out.end_array().begin_array("unchecked");
  for (const std::string& reason : report.unchecked) out.element(base::make_valid_utf8(reason));
  out.end_array();
  out.number("sitemaps", report.sitemaps)
      .number("collectionsOffered", report.offered)
      .number("collectionsRead", report.collections)
      .number("pages", report.pages)
      .number("requests", report.requests)
      .number("bytes", report.bytes);
  if (const auto& saving = report.saving)
    out.begin_object("saving")
        .string("section", base::make_valid_utf8(saving->section))
        .number("pages", saving->pages)
        .number("snapshotBytes", saving->snapshot_bytes)
        .number("pageBytes", saving->page_bytes)
        .number("sampled", saving->sampled)
        .end_object();
  return out.end_object().text();
}

std::string list_checks() {
  std::string text;
  for (const doctor::Check* check : doctor::all_checks())
    text += fmt::format("{:<30} {:<8} {}\n", check->code, to_string(check->severity), check->title);
  return text;
}

std::string checks_as_json() {
  JsonOutput out;
  out.begin_report().begin_array("checks");
  for (const doctor::Check* check : doctor::all_checks()) {
    out.begin_object();
    write_check(out, *check);
    out.end_object();
  }
  return out.end_array().end_object().text();
}

}  // namespace sheaf::cli
