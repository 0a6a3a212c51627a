#include "sheaf/traffic/traffic_report.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/escaping.h"
#include "sheaf/markup/html_writer.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <sheaf/publish.h>
#include <sheaf/time.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

namespace sheaf::traffic {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;
constexpr std::string_view kBrowsers = "browsers and others";
constexpr std::string_view kManyOthers = "other crawlers";
constexpr std::size_t kMaxNameBytes = 200;
constexpr std::size_t kMaxFileName = 255;
constexpr std::uint64_t kFewRequests = 20;

/// The last segment of the path.
std::string_view file_of(std::string_view target) {
  const std::string_view path = target.substr(0, target.find_first_of("?#"));
  return path.substr(path.rfind('/') + 1);
}

bool is_page(std::string_view file) {
  constexpr std::array<std::string_view, 14> kOtherKinds = {".css",  ".js",    ".png",  ".jpg",    ".jpeg",
                                                            ".gif",  ".svg",   ".ico",  ".xml",    ".txt",
                                                            ".woff", ".woff2", ".webp", ".minisig"};
  const std::string lower = base::lower_text(file);
  return std::ranges::none_of(kOtherKinds, [&](std::string_view ending) { return lower.ends_with(ending); });
}

}  // namespace

std::string_view to_string(ClientIdentification standing) {
  switch (standing) {
    case ClientIdentification::verified: return "verified";
    case ClientIdentification::claimed: return "claimed";
    case ClientIdentification::other: return "other";
  }
  return "other";
}

Traffic CrawlerTraffic::collections() const {
  Traffic all;
  for (const auto& [section_name, section] : sections) {
    all.requests += section.snapshots.requests + section.deltas.requests;
    all.bytes += section.snapshots.bytes + section.deltas.bytes;
  }
  return all;
}

CrawlerTraffic& TrafficReport::crawler_of(const LogEntry& entry, bool is_of_crawlers) {
  std::string name(kBrowsers);
  ClientIdentification standing = ClientIdentification::other;
  if (!entry.identity.empty()) {
    name = entry.identity.substr(0, kMaxNameBytes);
    standing = ClientIdentification::verified;
  } else if (is_of_crawlers || site::names_crawler(entry.user_agent)) {
    name = entry.user_agent.empty() ? "(no User-Agent)" : site::crawler_name(entry.user_agent);
    standing = ClientIdentification::claimed;
  }
  const std::string key = fmt::format("{} {}", static_cast<int>(standing), name);
  if (const auto found = crawlers_.find(key); found != crawlers_.end()) return found->second;
  // Browsers always have an entry of their own: they are not crawlers.
  if (crawlers_.size() >= limits_.crawlers && standing != ClientIdentification::other) {
    name = kManyOthers;
    standing = ClientIdentification::claimed;
  }
  const std::string stored = fmt::format("{} {}", static_cast<int>(standing), name);
  CrawlerTraffic& crawler = crawlers_[stored];
  crawler.name = std::move(name);
  crawler.standing = standing;
  return crawler;
}

void TrafficReport::add_collection(CrawlerTraffic& crawler, std::string_view file, const LogEntry& entry) {
  const auto name = parse_collection_name(file);
  if (!name || (entry.status != 200 && entry.status != 206 && entry.status != 304)) return;
  if (!crawler.sections.contains(name->section) && crawler.sections.size() >= limits_.sections) return;
  SectionTraffic& section = crawler.sections[name->section];
  section.newest = std::max(section.newest, name->generated.seconds);
  if (newest_.size() < limits_.sections || newest_.contains(name->section)) {
    std::int64_t& newest = newest_[name->section];
    newest = std::max(newest, name->generated.seconds);
  }
  if (entry.status == 304) {
    ++section.not_modified;
    return;
  }
  (name->type == CollectionType::snapshot ? section.snapshots : section.deltas).add(entry.bytes);
  // Partial downloads (206) request the same file repeatedly, so they do not count.
  if (entry.status == 200 && section.last_file == file) ++section.again;
  section.last_file = file;
}

void TrafficReport::add(const LogEntry& entry) {
  ++requests_;
  const std::string decoded = base::percent_decode(file_of(entry.target));
  const std::string_view file = decoded;
  // No file system allows longer names, so they would only fill the tables.
  const bool is_collection = file.size() <= kMaxFileName && parse_collection_name(file).has_value();
  const bool is_robots = entry.target == "/robots.txt";
  CrawlerTraffic& crawler = crawler_of(entry, is_collection || is_robots);
  if (crawler.total.requests == 0) crawler.first = crawler.last = entry.time;
  crawler.total.add(entry.bytes);
  crawler.first = std::min(crawler.first, entry.time);
  crawler.last = std::max(crawler.last, entry.time);
  if (entry.status == 304) ++crawler.not_modified;
  if (is_robots) ++crawler.robots;
  const bool is_refused =
      entry.status == 401 || entry.status == 402 || entry.status == 403 || entry.status == 429;
  if (is_refused) ++crawler.refused;
  if (entry.status >= 400 && !is_refused) ++crawler.failed;
  if (is_collection) add_collection(crawler, file, entry);
  const bool page =
      !is_collection && !is_robots && !entry.target.starts_with("/.well-known/") && is_page(file);
  if (page) crawler.pages.add(entry.bytes);
  if (page && entry.status == 200 && entry.bytes > 0) whole_pages_.add(entry.bytes);
  if (crawler.standing == ClientIdentification::other) return;
  const std::int64_t day = entry.time / kDaySeconds;
  if (days_.size() >= limits_.days && !days_.contains(day)) return;
  DayTraffic& today = days_[day];
  if (entry.status == 304) ++today.not_modified;
  if (is_collection) today.collections.add(entry.bytes);
  if (page) today.pages.add(entry.bytes);
}

std::vector<CrawlerTraffic> TrafficReport::crawlers() const {
  std::vector<CrawlerTraffic> list;
  for (const auto& [key, crawler] : crawlers_) list.push_back(crawler);
  std::ranges::sort(list, [](const CrawlerTraffic& a, const CrawlerTraffic& b) {
    return std::tuple(a.standing == ClientIdentification::other, b.total.requests, a.name) <
           std::tuple(b.standing == ClientIdentification::other, a.total.requests, b.name);
  });
  return list;
}

std::vector<std::string> find_misuse(const CrawlerTraffic& crawler) {
  std::vector<std::string> faults;
  if (crawler.standing == ClientIdentification::other) return faults;
  std::uint64_t again = 0;
  for (const auto& [name, section] : crawler.sections) again += section.again;
  if (again > 0)
    faults.push_back(
        fmt::format("downloaded {} it had already",
                    again == 1 ? "a collection that" : fmt::format("{} collections that", again)));
  // The first request of a verified crawler, usually the one for robots.txt, is answered before its keys are
  // known, so it is not counted for that crawler.
  const bool is_named_throughout = crawler.standing == ClientIdentification::claimed;
  if (is_named_throughout && crawler.robots == 0 && crawler.total.requests >= kFewRequests)
    faults.emplace_back("never requested robots.txt");
  if (crawler.pages.requests >= kFewRequests && crawler.pages.requests > crawler.total.requests / 2 &&
      crawler.collections().requests > 0)
    faults.emplace_back("crawls pages although it knows the collections");
  if (crawler.refused >= kFewRequests && crawler.refused > crawler.total.requests / 10)
    faults.push_back(fmt::format("was refused {} times and continued", crawler.refused));
  return faults;
}

Traffic estimate_saved(const CrawlerTraffic& crawler, const std::map<std::string, std::uint64_t>& pages,
                       std::uint64_t mean_page) {
  Traffic crawl;
  Traffic used;
  for (const auto& [name, section] : crawler.sections) {
    const auto known = pages.find(name);
    if (known == pages.end()) continue;
    // A delta or a 304 also replaces a pass over all pages, but most responses of that pass would have had no
    // body.
    const std::uint64_t passes = section.snapshots.requests + section.deltas.requests + section.not_modified;
    crawl.requests += passes * known->second;
    crawl.bytes += section.snapshots.requests * known->second * mean_page;
    used.requests += passes;
    used.bytes += section.snapshots.bytes + section.deltas.bytes;
  }
  return {crawl.requests - std::min(crawl.requests, used.requests),
          crawl.bytes - std::min(crawl.bytes, used.bytes)};
}

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
