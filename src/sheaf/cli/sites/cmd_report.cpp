#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/site/sitemap.h"
#include "sheaf/traffic/log_line.h"
#include "sheaf/traffic/traffic_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

using traffic::CrawlerTraffic;
using traffic::TrafficReport;
using PagesOfSections = std::map<std::string, std::uint64_t>;

struct ReportOptions {
  std::vector<std::string> logs;
  std::string html;
  std::string sitemap;
  bool json = false;
};

constexpr std::size_t kShownCrawlers = 20;

base::Result<PagesOfSections> read_pages(const std::string& sitemap) {
  PagesOfSections pages;
  if (sitemap.empty()) return pages;
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(sitemap));
  SHEAF_TRY_ASSIGN(const auto read, site::read_advertised(*source));
  for (const site::AdvertisedSection& section : read.advertised.sections)
    if (section.pages) pages[section.name] = section.pages->pages;
  return pages;
}

base::Result<void> read_logs(const ReportOptions& options, TrafficReport& report) {
  traffic::LogLineParser parser;
  Progress progress("report", size_of_files(options.logs));
  std::uint64_t before = 0;
  for (const std::string& log : options.logs) {
    std::uint64_t here = 0;
    SHEAF_TRY(traffic::each_log_line(
        log,
        [&](std::string_view line) {
          if (line.empty()) return;
          const auto entry = parser.parse(line);
          entry ? report.add(*entry) : report.count_unread();
        },
        [&](std::uint64_t bytes) {
          here = bytes;
          progress.update(before + bytes, report.requests());
        }));
    before += here;
  }
  return {};
}

bool is_current(const std::string& name, const traffic::SectionTraffic& section,
                const TrafficReport& report) {
  const auto newest = report.newest().find(name);
  return newest == report.newest().end() || section.newest >= newest->second;
}

void print_crawler(const CrawlerTraffic& crawler, const TrafficReport& report, const PagesOfSections& pages) {
  print_text("{} ({})\n", coloured(Colour::bold, printable(crawler.name, Lines::join)),
             to_string(crawler.standing));
  print_text("  {}, {} not modified, {}; {} of pages\n",
             counted(crawler.total.requests, "request", "requests"), human_count(crawler.not_modified),
             human_size(crawler.total.bytes), human_count(crawler.pages.requests));
  for (const auto& [name, section] : crawler.sections)
    print_text("  section {}: {}, {}, {} not modified; newest {}{}\n", printable(name, Lines::join),
               counted(section.snapshots.requests, "snapshot", "snapshots"),
               counted(section.deltas.requests, "delta", "deltas"), human_count(section.not_modified),
               format_time({section.newest, 0}), is_current(name, section, report) ? "" : ", behind");
  const traffic::Traffic saved = estimate_saved(crawler, pages, report.mean_page());
  if (saved.requests > 0)
    print_text("  saved about {} and {}\n", counted(saved.requests, "request", "requests"),
               human_size(saved.bytes));
  for (const std::string& fault : find_misuse(crawler)) print_text("  ! {}\n", printable(fault, Lines::join));
}

void print_report(const TrafficReport& report, const PagesOfSections& pages) {
  const std::vector<CrawlerTraffic> crawlers = report.crawlers();
  for (std::size_t i = 0; i < std::min(crawlers.size(), kShownCrawlers); ++i)
    print_crawler(crawlers[i], report, pages);
  if (crawlers.size() > kShownCrawlers)
    print_text("... and {} more (--json has all)\n", human_count(crawlers.size() - kShownCrawlers));
  print_text("{}, {} that {} not\n", counted(report.requests(), "request", "requests"),
             counted(report.unread(), "line", "lines"), report.unread() == 1 ? "is" : "are");
}

void write_crawler(JsonOutput& out, const CrawlerTraffic& crawler, const TrafficReport& report,
                   const PagesOfSections& pages) {
  const traffic::Traffic saved = estimate_saved(crawler, pages, report.mean_page());
  out.begin_object()
      .string("name", crawler.name)
      .string("standing", to_string(crawler.standing))
      .number("requests", crawler.total.requests)
      .number("bytes", crawler.total.bytes)
      .number("notModified", crawler.not_modified)
      .number("pageRequests", crawler.pages.requests)
      .number("pageBytes", crawler.pages.bytes)
      .number("refused", crawler.refused)
      .number("failed", crawler.failed)
      .string("first", format_time({crawler.first, 0}))
      .string("last", format_time({crawler.last, 0}))
      .number("savedRequestsEstimate", saved.requests)
      .number("savedBytesEstimate", saved.bytes)
      .begin_array("sections");
  for (const auto& [name, section] : crawler.sections)
    out.begin_object()
        .string("section", name)
        .number("snapshots", section.snapshots.requests)
        .number("deltas", section.deltas.requests)
        .number("bytes", section.snapshots.bytes + section.deltas.bytes)
        .number("notModified", section.not_modified)
        .string("newest", format_time({section.newest, 0}))
        .boolean("current", is_current(name, section, report))
        .end_object();
  out.end_array().begin_array("misuse");
  for (const std::string& fault : find_misuse(crawler)) out.element(fault);
  out.end_array().end_object();
}

void print_json(const TrafficReport& report, const PagesOfSections& pages) {
  JsonOutput out;
  out.begin_report()
      .number("requests", report.requests())
      .number("unreadLines", report.unread())
      .begin_array("crawlers");
  for (const CrawlerTraffic& crawler : report.crawlers()) write_crawler(out, crawler, report, pages);
  out.end_array().end_object();
  print_json_line(out.text());
}

base::Result<void> make_report(const ReportOptions& options) {
  SHEAF_TRY(check_standard_input(options.logs));
  SHEAF_TRY_ASSIGN(const PagesOfSections pages, read_pages(options.sitemap));
  TrafficReport report;
  SHEAF_TRY(read_logs(options, report));
  if (report.requests() == 0)
    return base::fail(base::Errc::invalid_data,
                      "no line is a request in the combined format or in JSON of sheaf, nginx or Caddy");
  if (!options.html.empty()) {
    SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(options.html));
    SHEAF_TRY(file.write(traffic::to_html(report, pages)));
    SHEAF_TRY(file.commit());
  }
  options.json ? print_json(report, pages) : print_report(report, pages);
  return {};
}

ExitStatus run(const ReportOptions& options) {
  const auto done = make_report(options);
  return done ? ExitStatus::yes : report_failure(done.error());
}

}  // namespace

void add_report(const Command& program, Job& job) {
  auto options = std::make_shared<ReportOptions>();
  const Command command = program.subcommand("report", "Show who pulls a site, from access logs");
  command.option("LOG", options->logs, "access logs of sheaf, nginx or Caddy, also .gz; - is standard input")
      .required();
  command.option("--html", options->html, "also write a report with charts to FILE").value_name("FILE");
  command
      .option("--sitemap", options->sitemap,
              "the site's sitemap; its page counts are used to estimate what collections save")
      .value_name("FILE");
  command.flag("--json", options->json, "print JSON");
  command.footer(
      "Example: sheaf report /var/log/nginx/access.log*\n"
      "         sheaf report access.log --sitemap public/sitemap.xml --html report.html\n"
      "Exit status: 0 shown, 1 no line could be read, 2 a file could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
