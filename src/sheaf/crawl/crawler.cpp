#include "sheaf/crawl/crawler.h"

#include "sheaf/crawl/page_visit.h"
#include "sheaf/http/fetch/address_rules.h"

namespace sheaf::crawl {

Crawler::Crawler(CrawlerOptions options)
    : options_(std::move(options)),
      own_gate_(options_.fetch.connections, options_.fetch.connections, std::chrono::seconds(30),
                *options_.fetch.clock),
      gate_(options_.fetch.gate != nullptr ? *options_.fetch.gate : own_gate_),
      fetch_(options_.fetch),
      robots_(options_.fetch.user_agent, ask_robots(),
              [this](const base::Url& origin, const site::RobotsRules& rules) { set_delay(origin, rules); }),
      visit_{.site = options_.site,
             .robots = robots_,
             .page_bytes = options_.page_bytes,
             .allow_http = options_.fetch.allow_http,
             .cancelled = [this] { return stopping_ || (options_.cancelled && options_.cancelled()); },
             .clock = options_.clock} {
  fetch_.gate = &gate_;
  fetch_.cancelled = [this] { return stopping_ || (options_.fetch.cancelled && options_.fetch.cancelled()); };
}

void Crawler::set_robots(const site::RobotsRules& rules) {
  robots_.set(options_.site, rules);
  set_delay(options_.site, rules);
}

http::fetch::FetchUse Crawler::take_use() {
  const std::lock_guard lock(use_mutex_);
  return std::exchange(use_, {});
}

void Crawler::add_use(const http::fetch::FetchUse& use) {
  const std::lock_guard lock(use_mutex_);
  use_.requests += use.requests;
  use_.bytes += use.bytes;
}

PageVisit Crawler::visit(http::fetch::Fetcher& fetcher, PageRequest request) {
  PageVisit visit = visit_page(fetcher, std::move(request), visit_);
  add_use(fetcher.take_use());
  return visit;
}

void Crawler::set_delay(const base::Url& origin, const site::RobotsRules& rules) {
  gate_.set_delay(http::fetch::host_key(origin), choose_delay(options_.fetch.delay, rules));
}

/// Requests robots.txt of the site's other origins: http and https, with and without www. The fetcher is
/// created at the first request, because fetch_ is not complete when the constructor calls this.
site::AskRobots Crawler::ask_robots() {
  return [this, fetcher = std::shared_ptr<http::fetch::Fetcher>()](
             const base::Url& url) mutable -> base::Result<site::RobotsReply> {
    if (!fetcher) fetcher = std::make_shared<http::fetch::Fetcher>(fetch_);
    auto reply = request_robots(*fetcher, url, options_.robots_tries);
    add_use(fetcher->take_use());
    return reply;
  };
}

}  // namespace sheaf::crawl
