#include "sheaf/base/file.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/doctor/doctor_output.h"
#include "sheaf/cli/sites/fetch_options.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/doctor/doctor_report.h"
#include "sheaf/doctor/site_inspection.h"
#include "sheaf/pull/site_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

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
