#pragma once

#include "sheaf/markup/html_writer.h"
#include "sheaf/traffic/log_line.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Which crawlers use a site: counts from an access log, in bounded memory.
namespace sheaf::traffic {

/// How well a client is identified.
enum class ClientIdentification : std::uint8_t {
  verified,  ///< its identity is verified (Web Bot Auth)
  claimed,   ///< its User-Agent names a crawler, or it requested collections or robots.txt
  other,     ///< probably a browser
};
std::string_view to_string(ClientIdentification standing);

struct Traffic {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;

  void add(std::uint64_t body) {
    ++requests;
    bytes += body;
  }
};

/// What a crawler downloaded of one section.
struct SectionTraffic {
  Traffic snapshots;
  Traffic deltas;
  std::uint64_t not_modified = 0;
  std::int64_t newest = 0;     ///< `generated` of the newest collection that it downloaded or got a 304 for
  std::uint64_t again = 0;     ///< repeated downloads of the same collection
  std::string last_file = {};  ///< for `again`
};

struct CrawlerTraffic {
  std::string name;  ///< the verified agent, or the product in its User-Agent
  ClientIdentification standing = ClientIdentification::other;
  Traffic total;
  Traffic pages;  ///< requests for anything but collections, signatures, sitemaps and robots.txt
  std::uint64_t not_modified = 0;
  std::uint64_t robots = 0;   ///< requests for robots.txt
  std::uint64_t refused = 0;  ///< 401, 402, 403, 429
  std::uint64_t failed = 0;   ///< other 4xx, and 5xx
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::map<std::string, SectionTraffic> sections;

  [[nodiscard]] Traffic collections() const;
};

/// Traffic of all crawlers on one day.
struct DayTraffic {
  Traffic collections;
  Traffic pages;
  std::uint64_t not_modified = 0;
};

struct TrafficLimits {
  std::size_t crawlers = 5'000;
  std::size_t sections = 100;  ///< per crawler
  std::size_t days = 4'000;
};

class TrafficReport {
 public:
  explicit TrafficReport(TrafficLimits limits = {}) : limits_(limits) {}

  void add(const LogEntry& entry);
  void count_unread() { ++unread_; }

  /// The crawlers, sorted by descending number of requests; browsers are one entry, the last.
  [[nodiscard]] std::vector<CrawlerTraffic> crawlers() const;
  [[nodiscard]] const std::map<std::int64_t, DayTraffic>& days() const {
    return days_;
  }  ///< by day since 1970
  /// `generated` of the newest collection of each section that any crawler requested.
  [[nodiscard]] const std::map<std::string, std::int64_t>& newest() const { return newest_; }
  [[nodiscard]] std::uint64_t requests() const { return requests_; }
  [[nodiscard]] std::uint64_t unread() const { return unread_; }  ///< lines that could not be read
  /// Mean size of a page in complete responses; 0 if there were none.
  [[nodiscard]] std::uint64_t mean_page() const {
    return whole_pages_.requests == 0 ? 0 : whole_pages_.bytes / whole_pages_.requests;
  }

 private:
  CrawlerTraffic& crawler_of(const LogEntry& entry, bool is_of_crawlers);
  void add_collection(CrawlerTraffic& crawler, std::string_view file, const LogEntry& entry);

  TrafficLimits limits_;
  std::unordered_map<std::string, CrawlerTraffic> crawlers_;
  std::map<std::int64_t, DayTraffic> days_;
  std::map<std::string, std::int64_t> newest_;
  Traffic whole_pages_;
  std::uint64_t requests_ = 0;
  std::uint64_t unread_ = 0;
};

/// What a crawler does wrong, one sentence each.
std::vector<std::string> find_misuse(const CrawlerTraffic& crawler);

/// The traffic that a page-by-page crawl would have cost in addition to what the crawler used: for each
/// snapshot, delta and 304 as many requests as the section has pages, and for each snapshot `mean_page` bytes
/// per page. `pages` has the number of pages by section; sections that are not in it do not count.
Traffic estimate_saved(const CrawlerTraffic& crawler, const std::map<std::string, std::uint64_t>& pages,
                       std::uint64_t mean_page);

/// The report as a single HTML file with SVG charts. It has no scripts and loads nothing. Names from logs are
/// escaped.
std::string to_html(const TrafficReport& report, const std::map<std::string, std::uint64_t>& pages);

/// Writes a chart of the requests of crawlers in the last `shown` days that are in `days`.
void write_day_chart(markup::HtmlWriter& out, const std::map<std::int64_t, DayTraffic>& days,
                     std::int64_t shown);

}  // namespace sheaf::traffic
