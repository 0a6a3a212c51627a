#include "sheaf/base/code_points.h"
#include "sheaf/base/file.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/fetch_options.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/doctor/doctor_report.h"
#include "sheaf/doctor/site_inspection.h"
#include "sheaf/pull/site_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// The report as text of several lines, with fixes for one server.
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

/// The same as one JSON object on one line, with the fixes for all servers.
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

/// Every check, without a site: for `--list`.
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

struct DoctorOptions {
  std::string url;
  std::string html;
  std::string server = "auto";
  FetchArguments requests;
  std::uint64_t max_time = 900;
  bool json = false;
  bool list = false;
  doctor::InspectOptions inspect;
};

base::Result<void> write_html_report(const std::string& path, const doctor::DoctorReport& report) {
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(path));
  SHEAF_TRY(file.write(doctor::report_as_html(report)));
  return file.commit();
}

doctor::ServerKind chosen_server(const DoctorOptions& options, const doctor::DoctorReport& report) {
  const auto* const found = std::ranges::find_if(
      doctor::kServers, [&](doctor::ServerKind server) { return to_string(server) == options.server; });
  return found == doctor::kServers.end() ? report.server : *found;
}

ExitStatus could_not_check(const base::Error& error) {
  report_failure(error);
  return ExitStatus::unknown;
}

ExitStatus run_doctor(DoctorOptions& options) {
  if (options.list) {
    options.json ? print_json_line(checks_as_json()) : print_text("{}", list_checks());
    return ExitStatus::yes;
  }
  if (options.url.empty())
    return could_not_check({base::Errc::invalid_argument, "no site given: sheaf doctor https://example.com"});
  const auto site = pull::parse_site_url(options.url);
  if (!site) return could_not_check(site.error());
  auto fetch = parse_fetch_options(options.requests);
  if (!fetch) return could_not_check(fetch.error());
  options.inspect.fetch = std::move(*fetch);
  options.inspect.max_time = std::chrono::seconds(options.max_time);
  Progress progress("check", std::nullopt);
  options.inspect.progress = [&](std::string_view /*what*/, std::uint64_t requests) {
    progress.update(0, requests);
  };
  const auto facts = doctor::inspect_site(*site, options.inspect);
  Progress::clear();
  if (!facts) return could_not_check(facts.error());
  const doctor::DoctorReport report = doctor::diagnose(*facts);
  if (!options.html.empty())
    if (const auto written = write_html_report(options.html, report); !written)
      return could_not_check(written.error());
  if (options.json)
    print_json_line(diagnoses_as_json(report));
  else
    print_text("{}", describe_diagnoses(report, chosen_server(options, report)));
  return report.findings.empty() ? ExitStatus::yes : ExitStatus::no;
}

void add_doctor_network(const Command& command, DoctorOptions& options) {
  doctor::InspectOptions& inspect = options.inspect;
  add_fetch_options(command, options.requests);
  command.option("--max-requests", inspect.max_requests, "maximum number of requests")
      .within<std::uint64_t>(1, 100'000)
      .show_default();
  command.option("--max-time", options.max_time, "maximum seconds for all requests")
      .value_name("SECONDS")
      .within<std::uint64_t>(1, 86'400)
      .show_default();
  command
      .option("--max-bytes", inspect.max_bytes,
              "maximum total size of all responses, e.g. 64MiB; default: 256MiB")
      .size();
}

}  // namespace

void add_doctor(const Command& program, Job& job) {
  auto options = std::make_shared<DoctorOptions>();
  const Command command =
      program.subcommand("doctor", "Check how a site offers its collections, and say how to fix problems");
  command.option("URL", options->url, "a site, e.g. https://example.com, or one of its sitemaps");
  command.option("--html", options->html, "also write the report as an HTML page").value_name("FILE");
  command
      .option("--server", options->server,
              "server to print fixes for; auto recognises it by its Server header; s3 also means R2")
      .one_of({"auto", "nginx", "caddy", "apache", "s3", "cloudflare"})
      .show_default();
  command.flag("--list", options->list, "print all checks and exit");
  add_doctor_network(command, *options);
  command.flag("--json", options->json, "print one JSON object");
  command.footer(
      "Example: sheaf doctor https://example.com --html report.html\n"
      "Exit status: 0 nothing to fix, 1 findings, 2 could not check.");
  command.on_call([options, &job] { job = [options] { return run_doctor(*options); }; });
}

}  // namespace sheaf::cli
