#include "sheaf/traffic/traffic_html.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/markup/svg_chart.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sheaf::traffic {
namespace {

using markup::HtmlWriter;

constexpr std::size_t kShownCrawlers = 200;
constexpr std::size_t kChartBars = 15;
constexpr std::size_t kLabelBytes = 60;
constexpr std::int64_t kChartDays = 120;
constexpr std::int64_t kSecondsOfDay = 86'400;

constexpr const char* kStyle = R"(
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%}td,th{padding:.3rem .5rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
.number{text-align:right}.v{color:#186a3b}.m{color:#a04000}svg{width:100%;height:auto}text{font:12px system-ui,sans-serif;fill:#333}
figure{margin:1rem 0}.name{font-weight:600}.axis{stroke:#ddd}.bar0{fill:#4a7ebb}.bar1{fill:#d9a441}.key0{color:#4a7ebb}.key1{color:#a67a20}
)";

void write_bars(HtmlWriter& out, std::string_view title,
                std::vector<std::pair<std::string, std::uint64_t>> bars,
                std::string (*describe)(std::uint64_t)) {
  std::ranges::stable_sort(bars, std::ranges::greater(), &std::pair<std::string, std::uint64_t>::second);
  if (bars.size() > kChartBars) bars.resize(kChartBars);
  markup::ChartOptions options{.title = title, .labels = {}, .describe = describe};
  std::vector<std::uint64_t> values;
  for (const auto& [name, value] : bars) {
    options.labels.emplace_back(base::cut_utf8(name, kLabelBytes));
    values.push_back(value);
  }
  markup::write_share_chart(out, options, values);
}

void write_section_cell(HtmlWriter& out, const CrawlerTraffic& crawler,
                        const std::map<std::string, std::int64_t>& newest) {
  out.open("td");
  for (const auto& [name, section] : crawler.sections) {
    const auto best = newest.find(name);
    const bool is_current = best == newest.end() || section.newest >= best->second;
    out.element("div", fmt::format("{}: {} ({})", name, format_time({section.newest, 0}),
                                   is_current ? "current" : "behind"));
  }
  out.close();
}

void write_number(HtmlWriter& out, const std::string& number) {
  out.element("td", number, {{"class", "number"}});
}

void write_crawler_row(HtmlWriter& out, const CrawlerTraffic& crawler, const TrafficReport& report,
                       const std::map<std::string, std::uint64_t>& pages) {
  const Traffic saved = estimate_saved(crawler, pages, report.mean_page());
  out.open("tr").open("td").element("div", crawler.name);
  out.element("div", to_string(crawler.standing),
              {{"class", crawler.standing == ClientIdentification::verified ? "v" : "c"}});
  for (const std::string& fault : find_misuse(crawler)) out.element("div", fault, {{"class", "m"}});
  out.close();
  write_number(out, base::human_count(crawler.total.requests));
  write_number(out, base::human_count(crawler.not_modified));
  write_number(out, base::human_size(crawler.total.bytes));
  write_section_cell(out, crawler, report.newest());
  write_number(out, fmt::format("{}, {}", base::counted(saved.requests, "request", "requests"),
                                base::human_size(saved.bytes)));
  out.close();
}

void write_crawlers(HtmlWriter& out, const std::vector<CrawlerTraffic>& crawlers, const TrafficReport& report,
                    const std::map<std::string, std::uint64_t>& pages) {
  out.element("h2", "Who").open("table").open("tr").element("th", "crawler");
  for (const std::string_view name : {"requests", "not modified", "bytes"})
    out.element("th", name, {{"class", "number"}});
  out.element("th", "newest collection").element("th", "saved (estimate)", {{"class", "number"}}).close();
  for (std::size_t i = 0; i < std::min(crawlers.size(), kShownCrawlers); ++i)
    write_crawler_row(out, crawlers[i], report, pages);
  out.close();
}

}  // namespace

void write_day_chart(HtmlWriter& out, const std::map<std::int64_t, DayTraffic>& days, std::int64_t shown) {
  if (days.empty()) return;
  const std::int64_t last = days.rbegin()->first;
  const std::int64_t first = std::max(days.begin()->first, last - shown + 1);
  markup::ChartSeries collections{.name = "Collections", .values = {}};
  markup::ChartSeries pages{.name = "Pages", .values = {}};
  std::vector<std::string> labels;
  for (std::int64_t day = first; day <= last; ++day) {
    const auto found = days.find(day);
    const DayTraffic today = found == days.end() ? DayTraffic{} : found->second;
    labels.push_back(format_time({day * kSecondsOfDay, 0}).substr(0, 10));
    collections.values.push_back(today.collections.requests);
    pages.values.push_back(today.pages.requests);
  }
  markup::write_bar_chart(out, {"Requests of crawlers per day", labels, base::human_count},
                          {collections, pages});
}

std::string to_html(const TrafficReport& report, const std::map<std::string, std::uint64_t>& pages) {
  const std::vector<CrawlerTraffic> crawlers = report.crawlers();
  std::vector<std::pair<std::string, std::uint64_t>> by_requests;
  std::vector<std::pair<std::string, std::uint64_t>> by_bytes;
  for (const CrawlerTraffic& crawler : crawlers) {
    by_requests.emplace_back(crawler.name, crawler.total.requests);
    by_bytes.emplace_back(crawler.name, crawler.total.bytes);
  }
  HtmlWriter out;
  out.open("html", {{"lang", "en"}}).open("head").open("meta", {{"charset", "utf-8"}});
  out.element("title", "Crawler report").inline_style(kStyle).close();
  out.open("body").element("h1", "Crawlers");
  out.element("p", fmt::format("{}, {} that could not be read.",
                               base::counted(report.requests(), "request", "requests"),
                               base::counted(report.unread(), "line", "lines")));
  write_day_chart(out, report.days(), kChartDays);
  write_bars(out, "Requests", std::move(by_requests), base::human_count);
  write_bars(out, "Bytes", std::move(by_bytes), base::human_size);
  write_crawlers(out, crawlers, report, pages);
  return std::move(out).take_document();
}

}  // namespace sheaf::traffic
