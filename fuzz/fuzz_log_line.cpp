// A line of an access log: any line is read or refused, and a report of it is finite and free of markup from
// the line.
#include "fuzz_support.h"
#include "sheaf/traffic/log_line.h"
#include "sheaf/traffic/traffic_report.h"

#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using fuzz::require;
  traffic::LogLineParser parser;
  const auto entry = parser.parse(fuzz::as_text(data, size));
  if (!entry) return 0;
  require(entry->status >= 100 && entry->status < 600);
  traffic::TrafficReport report({.crawlers = 2, .sections = 2, .days = 2});
  report.add(*entry);
  report.add(*entry);
  require(report.requests() == 2 && report.crawlers().size() == 1);
  const traffic::CrawlerTraffic crawler = report.crawlers().front();
  require(crawler.total.requests == 2 && crawler.first == crawler.last);
  const std::string html = traffic::to_html(report, {{"all", 10}});
  require(!html.contains("<script") && html.ends_with("</html>\n"));
  return 0;
}
