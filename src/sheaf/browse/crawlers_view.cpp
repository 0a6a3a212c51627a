#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/browse/crawler_logs.h"
#include "sheaf/traffic/traffic_html.h"

#include <algorithm>

namespace sheaf::browse {
namespace {

using traffic::CrawlerTraffic;

constexpr unsigned kLiveSeconds = 5;
constexpr std::size_t kCrawlersShown = 200;
constexpr std::int64_t kDaysShown = 30;

std::string_view standing_kind(traffic::ClientIdentification standing) {
  return standing == traffic::ClientIdentification::verified ? "good" : "plain";
}

void write_crawler_sections(markup::HtmlWriter& out, const CrawlerTraffic& crawler,
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

void write_crawler_row(markup::HtmlWriter& out, const CrawlerTraffic& crawler,
                       const CrawlerLogs::State& state, Instant now) {
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

void write_crawlers(markup::HtmlWriter& out, const CrawlerLogs::State& state, Instant now) {
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

}  // namespace

base::Result<ViewReply> crawlers_view(const ViewContext& context, const RequestValues& /*values*/) {
  const CrawlerLogs::State state = context.logs->state();
  markup::HtmlWriter out;
  begin_frame(out, context.parts(),
              {.title = "Crawlers", .place = AppPlace::crawlers, .reload_seconds = kLiveSeconds});
  out.element("h1", "Crawlers");
  out.open("p", {{"class", "muted"}});
  out.text(base::counted(state.requests, "request", "requests") + " in " + base::human_size(state.bytes) +
           " of logs, " + base::counted(state.unread, "line", "lines") + " in no known format. ");
  out.text(state.is_reading ? "The logs are still being read. " : "Followed as the servers write. ").close();
  for (const std::string& trouble : state.troubles) out.element("p", trouble, {{"class", "notice"}});
  traffic::write_day_chart(out, state.days, kDaysShown);
  if (!state.crawlers.empty()) write_crawlers(out, state, sheaf::now());
  if (state.crawlers.size() > kCrawlersShown)
    out.element("p",
                "and " + base::human_count(state.crawlers.size() - kCrawlersShown) +
                    " more; `sheaf report --json` has all",
                {{"class", "muted"}});
  return ViewReply{.body = end_frame(std::move(out))};
}

}  // namespace sheaf::browse
