#include "sheaf/base/file.h"
#include "sheaf/base/url.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/compare/compare_site.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

namespace sheaf::cli {
namespace {

struct CompareCommand {
  std::string site;
  std::string base = "https://example.com";
  std::string html;
  double changed = -1;
  double delay = 1;
  std::uint64_t max_time = 900;
  bool json = false;
  compare::CompareOptions options;
};

base::Result<compare::Comparison> compare_given(CompareCommand& command) {
  compare::CompareOptions& options = command.options;
  if (command.changed >= 0) options.changed_share = command.changed / 100;
  options.delay = std::chrono::milliseconds(static_cast<std::int64_t>(command.delay * 1000));
  options.max_time = std::chrono::seconds(command.max_time);
  std::error_code error;
  if (std::filesystem::is_directory(command.site, error)) {
    const auto base = base::Url::parse(command.base.ends_with('/') ? command.base : command.base + "/");
    if (!base) return base::fail(base::Errc::invalid_argument, "--base must be the URL of the site");
    return compare::compare_folder(command.site, *base, options);
  }
  const auto url = base::Url::parse(command.site);
  if (!url)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("{} is neither a folder nor the URL of a site", command.site));
  return compare::compare_live_site(*url, options);
}

base::Result<void> write_comparison(const std::string& path, const compare::Comparison& comparison) {
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(path));
  SHEAF_TRY(file.write(compare::comparison_as_html(comparison)));
  return file.commit();
}

ExitStatus run_compare(CompareCommand& command) {
  Progress progress("measure", std::nullopt);
  command.options.progress = [&](std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected) {
    progress.update(bytes, pages, expected);
  };
  const auto comparison = compare_given(command);
  Progress::clear();
  if (!comparison) {
    (void)report_failure(comparison.error());
    return ExitStatus::unknown;
  }
  if (!command.html.empty())
    if (const auto written = write_comparison(command.html, *comparison); !written) {
      (void)report_failure(written.error());
      return ExitStatus::unknown;
    }
  if (command.json)
    print_json_line(compare::comparison_as_json(*comparison));
  else
    print_text("{}", printable(compare::describe_comparison(*comparison), Lines::keep));
  return ExitStatus::yes;
}

}  // namespace

void add_compare(const Command& program, Job& job) {
  auto options = std::make_shared<CompareCommand>();
  options->options.fetch.user_agent = "sheaf/" SHEAF_VERSION;
  const Command command = program.subcommand(
      "compare", "Measure what collections would save a site, compared with crawling it page by page");
  command.option("SITE", options->site, "a folder of HTML pages, or the URL of a site").required();
  command.option("--base", options->base, "URL of the site, if SITE is a folder")
      .value_name("URL")
      .show_default();
  command
      .option("--changed", options->changed,
              "percentage of pages that change between two visits; default: the share per day according to "
              "the sitemap, else 1")
      .value_name("PERCENT")
      .within(0.0, 100.0);
  command.option("--sample", options->options.sample, "number of pages to request from a live site")
      .value_name("N")
      .within<std::uint64_t>(1, 10'000)
      .show_default();
  command.option("--delay", options->delay, "seconds between two requests; robots.txt may ask for more")
      .value_name("SECONDS")
      .within(0.0, 3600.0)
      .show_default();
  command
      .option("--max-time", options->max_time,
              "maximum seconds for a live site; then the pages measured so far count")
      .value_name("SECONDS")
      .within<std::uint64_t>(1, 86'400)
      .show_default();
  command
      .option("--user-agent", options->options.fetch.user_agent,
              "User-Agent to send; the name in it selects the rules in robots.txt")
      .value_name("NAME")
      .header_value()
      .show_default();
  command.flag("--allow-private", options->options.fetch.allow_private,
               "also connect to this machine and to private networks");
  command.flag("--allow-http", options->options.fetch.allow_downgrade, "follow redirects from https to http");
  command.option("--html", options->html, "also write the figures as an HTML page with charts")
      .value_name("FILE");
  command.flag("--json", options->json, "print one JSON object");
  command.footer(
      "Example: sheaf compare public --html savings.html\n"
      "Exit status: 0 measured, 2 could not measure.");
  command.on_call([options, &job] { job = [options] { return run_compare(*options); }; });
}

}  // namespace sheaf::cli
