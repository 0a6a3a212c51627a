#include "sheaf/browse/crawler_logs.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/traffic/log_line.h"
#include "sheaf/traffic/traffic_report.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sheaf::browse {
namespace {

constexpr std::chrono::seconds kLogInterval{1};

}  // namespace

CrawlerLogs::CrawlerLogs(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (file.ends_with(".gz"))
      compressed_.push_back(file);
    else
      tails_.emplace_back(file);
  }
  thread_ = std::thread([this] { run(); });
}

CrawlerLogs::~CrawlerLogs() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool CrawlerLogs::is_stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

/// The lock is held for one line at a time, so that views do not wait for a whole log.
void CrawlerLogs::take(std::string_view line) {
  if (line.empty()) return;
  const auto entry = parser_.parse(line);
  const std::lock_guard lock(mutex_);
  entry ? report_.add(*entry) : report_.count_unread();
}

void CrawlerLogs::read_all(std::vector<std::string>& troubles) {
  const auto use = [this](std::string_view line) { take(line); };
  const auto stopped = [this] { return is_stopping(); };
  std::uint64_t bytes = 0;
  for (traffic::LogTail& tail : tails_) {
    const auto read = tail.read_more(use, stopped);
    if (!read) troubles.push_back(read.error().message);
    bytes += tail.bytes();
  }
  const std::lock_guard lock(mutex_);
  bytes_ = bytes;
}

void CrawlerLogs::run() {
  std::vector<std::string> of_compressed;
  for (const std::string& file : compressed_) {
    if (is_stopping()) return;
    const auto read = traffic::each_log_line(file, [this](std::string_view line) { take(line); }, {});
    if (!read) of_compressed.push_back(read.error().message);
  }
  while (true) {
    std::vector<std::string> troubles = of_compressed;
    read_all(troubles);
    std::unique_lock lock(mutex_);
    is_reading_ = false;
    troubles_ = std::move(troubles);
    if (wake_.wait_for(lock, kLogInterval, [this] { return stopping_; })) return;
  }
}

CrawlerLogs::State CrawlerLogs::state() const {
  const std::lock_guard lock(mutex_);
  return {.crawlers = report_.crawlers(),
          .days = report_.days(),
          .newest = report_.newest(),
          .requests = report_.requests(),
          .unread = report_.unread(),
          .bytes = bytes_,
          .is_reading = is_reading_,
          .troubles = troubles_};
}

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
