#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/browse/crawler_logs.h"
#include "sheaf/browse/svg_chart.h"

#include <algorithm>

namespace sheaf::browse {
namespace {

using traffic::CrawlerTraffic;

constexpr unsigned kLiveSeconds = 5;
constexpr std::size_t kCrawlersShown = 200;
constexpr std::int64_t kDaysShown = 30;
constexpr std::int64_t kSecondsOfDay = 86'400;

std::string_view standing_kind(traffic::ClientIdentification standing) {
  return standing == traffic::ClientIdentification::verified ? "good" : "plain";
}

void write_crawler_sections(HtmlWriter& out, const CrawlerTraffic& crawler,
                            const std::map<std::string, std::int64_t>& newest) {
  out.open("td");
  for (const auto& [name, section] : crawler.sections) {
    const auto best = newest.find(name);
    const bool is_current = best == newest.end() || section.newest >= best->second;
    out.text(name + " ");
    write_badge(out, is_current ? "good" : "plain", is_current ? "current" : "behind");
    out.text(" ");
  }
  out.close();
}

void write_crawler_row(HtmlWriter& out, const CrawlerTraffic& crawler, const CrawlerLogs::State& state,
                       Instant now) {
  out.open("tr").open("td", {{"dir", "auto"}}).text(crawler.name + " ");
  write_badge(out, standing_kind(crawler.standing), to_string(crawler.standing));
  for (const std::string& fault : find_misuse(crawler)) {
    out.text(" ");
    write_badge(out, "bad", fault);
  }
  out.close();
  for (const std::uint64_t count :
       {crawler.total.requests, crawler.not_modified, crawler.pages.requests, crawler.refused})
    out.element("td", base::human_count(count), {{"class", "number"}});
  out.element("td", base::human_size(crawler.total.bytes), {{"class", "number"}});
  write_crawler_sections(out, crawler, state.newest);
  out.open("td");
  write_age(out, {crawler.last, 0}, now);
  out.close().close();
}

void write_crawlers(HtmlWriter& out, const CrawlerLogs::State& state, Instant now) {
  out.open("div", {{"class", "wide"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Crawlers"}});
  out.open("table", {{"class", "rows"}}).open("thead").open("tr");
  for (const std::string_view name :
       {"Crawler", "Requests", "Not modified", "Of pages", "Refused", "Bytes", "Sections", "Last request"})
    out.element("th", name, {{"scope", "col"}});
  out.close().close().open("tbody");
  for (std::size_t i = 0; i < std::min(state.crawlers.size(), kCrawlersShown); ++i)
    write_crawler_row(out, state.crawlers[i], state, now);
  out.close().close().close();
}

void write_days(HtmlWriter& out, const std::map<std::int64_t, traffic::DayTraffic>& days) {
  if (days.empty()) return;
  const std::int64_t last = days.rbegin()->first;
  const std::int64_t first = std::max(days.begin()->first, last - kDaysShown + 1);
  ChartSeries collections{.name = "Collections", .values = {}};
  ChartSeries pages{.name = "Pages", .values = {}};
  std::vector<std::string> labels;
  for (std::int64_t day = first; day <= last; ++day) {
    const auto found = days.find(day);
    const traffic::DayTraffic today = found == days.end() ? traffic::DayTraffic{} : found->second;
    labels.push_back(format_time({day * kSecondsOfDay, 0}).substr(0, 10));
    collections.values.push_back(today.collections.requests);
    pages.values.push_back(today.pages.requests);
  }
  write_bar_chart(out, {"Requests of crawlers per day", labels, base::human_count}, {collections, pages});
}

}  // namespace

base::Result<ViewReply> crawlers_view(const ViewContext& context, const RequestValues& /*values*/) {
  const CrawlerLogs::State state = context.logs->state();
  HtmlWriter out;
  begin_frame(out, context.parts(),
              {.title = "Crawlers", .place = AppPlace::crawlers, .reload_seconds = kLiveSeconds});
  out.element("h1", "Crawlers");
  out.open("p", {{"class", "muted"}});
  out.text(base::counted(state.requests, "request", "requests") + " in " + base::human_size(state.bytes) +
           " of logs, " + base::counted(state.unread, "line", "lines") + " in no known format. ");
  out.text(state.is_reading ? "The logs are still being read. " : "Followed as the servers write. ").close();
  for (const std::string& trouble : state.troubles) out.element("p", trouble, {{"class", "notice"}});
  write_days(out, state.days);
  if (!state.crawlers.empty()) write_crawlers(out, state, sheaf::now());
  if (state.crawlers.size() > kCrawlersShown)
    out.element("p",
                "and " + base::human_count(state.crawlers.size() - kCrawlersShown) +
                    " more; `sheaf report --json` has all",
                {{"class", "muted"}});
  return ViewReply{.body = end_frame(std::move(out))};
}

}  // namespace sheaf::browse
