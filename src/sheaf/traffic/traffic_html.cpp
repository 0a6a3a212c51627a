#include "sheaf/traffic/traffic_html.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/html_text.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sheaf::traffic {
namespace {

constexpr std::size_t kShownCrawlers = 200;
constexpr std::size_t kChartBars = 15;
constexpr std::size_t kChartDays = 120;
constexpr double kChartWidth = 760;

constexpr std::string_view kPageHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Crawler report</title><style>
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%}td,th{padding:.3rem .5rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
td.n,th.n{text-align:right}.v{color:#186a3b}.m{color:#a04000}svg{width:100%;height:auto}text{font:12px system-ui,sans-serif;fill:#333}
</style></head><body>
)";

/// Horizontal bars, the longest first.
std::string bar_chart(std::string_view title, const std::vector<std::pair<std::string, std::uint64_t>>& bars,
                      bool is_size) {
  constexpr double kRow = 22;
  constexpr double kLabel = 220;
  std::uint64_t most = 1;
  for (const auto& [name, value] : bars) most = std::max(most, value);
  std::string text = fmt::format("<h2>{}</h2><svg viewBox=\"0 0 {} {}\" role=\"img\">", title, kChartWidth,
                                 kRow * static_cast<double>(bars.size()) + 4);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double y = kRow * static_cast<double>(i);
    const double width =
        (kChartWidth - kLabel - 110) * static_cast<double>(bars[i].second) / static_cast<double>(most);
    const std::string value = is_size ? base::human_size(bars[i].second) : base::human_count(bars[i].second);
    text += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" "
        "height=\"16\" "
        "fill=\"#4a7ebb\"/><text x=\"{:.1f}\" y=\"{}\">{}</text>",
        kLabel - 8, y + 14, base::visible_html(bars[i].first.substr(0, 34)), kLabel, y + 2, width,
        kLabel + width + 6, y + 14, value);
  }
  return text + "</svg>\n";
}

/// Requests of crawlers per day as stacked bars: collections and pages.
std::string day_chart(const std::map<std::int64_t, DayTraffic>& days) {
  constexpr double kHeight = 160;
  if (days.empty()) return {};
  const std::int64_t last = days.rbegin()->first;
  const std::int64_t first = std::max(days.begin()->first, last - static_cast<std::int64_t>(kChartDays) + 1);
  std::uint64_t most = 1;
  for (const auto& [day, traffic] : days)
    if (day >= first) most = std::max(most, traffic.collections.requests + traffic.pages.requests);
  const double step = kChartWidth / static_cast<double>(last - first + 1);
  std::string text =
      fmt::format("<h2>Requests of crawlers per day</h2><svg viewBox=\"0 0 {} {}\" role=\"img\">",
                  kChartWidth, kHeight + 24);
  for (const auto& [day, traffic] : days) {
    if (day < first) continue;
    const double x = static_cast<double>(day - first) * step;
    double y = kHeight;
    const auto part = [&](std::uint64_t count, std::string_view colour) {
      const double height = kHeight * static_cast<double>(count) / static_cast<double>(most);
      y -= height;
      text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>",
                          x, y, std::max(step - 1, 0.5), height, colour);
    };
    part(traffic.collections.requests, "#4a7ebb");
    part(traffic.pages.requests, "#d9a441");
  }
  const auto date = [](std::int64_t day) { return format_time({day * 86'400, 0}).substr(0, 10); };
  text += fmt::format(
      "<text x=\"0\" y=\"{0}\">{1}</text><text x=\"{2}\" y=\"{0}\" text-anchor=\"end\">{3}</text>",
      kHeight + 18, date(first), kChartWidth, date(last));
  return text + "</svg><p>blue: collections; yellow: pages</p>\n";
}

std::string section_cell(const CrawlerTraffic& crawler, const std::map<std::string, std::int64_t>& newest) {
  std::string text;
  for (const auto& [name, section] : crawler.sections) {
    const auto best = newest.find(name);
    const bool is_current = best == newest.end() || section.newest >= best->second;
    text += fmt::format("{}{}: {} ({})", text.empty() ? "" : "<br>", base::visible_html(name),
                        format_time({section.newest, 0}), is_current ? "current" : "behind");
  }
  return text;
}

std::string crawler_row(const CrawlerTraffic& crawler, const TrafficReport& report,
                        const std::map<std::string, std::uint64_t>& pages) {
  const Traffic saved = estimate_saved(crawler, pages, report.mean_page());
  std::string misuse;
  for (const std::string& fault : find_misuse(crawler))
    misuse += fmt::format("<br><span class=\"m\">{}</span>", base::visible_html(fault));
  return fmt::format(
      "<tr><td>{}<br><span class=\"{}\">{}</span>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
      "class=\"n\">{}</td><td>{}</td><td class=\"n\">{}<br>{}</td></tr>\n",
      base::visible_html(crawler.name), crawler.standing == ClientIdentification::verified ? "v" : "c",
      to_string(crawler.standing), misuse, base::human_count(crawler.total.requests),
      base::human_count(crawler.not_modified), base::human_size(crawler.total.bytes),
      section_cell(crawler, report.newest()), base::human_count(saved.requests),
      base::human_size(saved.bytes));
}

}  // namespace

std::string to_html(const TrafficReport& report, const std::map<std::string, std::uint64_t>& pages) {
  const std::vector<CrawlerTraffic> crawlers = report.crawlers();
  std::vector<std::pair<std::string, std::uint64_t>> by_requests;
  std::vector<std::pair<std::string, std::uint64_t>> by_bytes;
  for (const CrawlerTraffic& crawler : crawlers) {
    by_requests.emplace_back(crawler.name, crawler.total.requests);
    by_bytes.emplace_back(crawler.name, crawler.total.bytes);
  }
  for (auto* bars : {&by_requests, &by_bytes}) {
    std::ranges::stable_sort(*bars, std::ranges::greater(), &std::pair<std::string, std::uint64_t>::second);
    if (bars->size() > kChartBars) bars->resize(kChartBars);
  }
  std::string html(kPageHead);
  html += fmt::format("<h1>Crawlers</h1><p>{}, {} that could not be read.</p>\n",
                      base::counted(report.requests(), "request", "requests"),
                      base::counted(report.unread(), "line", "lines"));
  html += day_chart(report.days());
  html += bar_chart("Requests", by_requests, false);
  html += bar_chart("Bytes", by_bytes, true);
  html +=
      "<h2>Who</h2><table><tr><th>crawler</th><th class=\"n\">requests</th><th class=\"n\">not "
      "modified</th><th "
      "class=\"n\">bytes</th><th>newest collection</th><th class=\"n\">saved (estimate)</th></tr>\n";
  for (std::size_t i = 0; i < std::min(crawlers.size(), kShownCrawlers); ++i)
    html += crawler_row(crawlers[i], report, pages);
  return html + "</table></body></html>\n";
}

}  // namespace sheaf::traffic
