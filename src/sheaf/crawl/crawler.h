#pragma once

#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/crawl/page_visit.h"
#include "sheaf/site/site_robots.h"

#include <atomic>
#include <chrono>
#include <climits>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace sheaf::crawl {

struct CrawlerOptions {
  base::Url site;
  http::fetch::FetchOptions fetch = {};  ///< `gate` may be null; `cancelled` also ends current requests
  std::function<bool()> cancelled = {};  ///< a request that fails while this is true counts as cancelled
  std::uint64_t page_bytes = kPageBytes;
  unsigned robots_tries = UINT_MAX;  ///< maximum for robots.txt, if `fetch` allows more
  std::function<Instant()> clock = [] { return sheaf::now(); };
};

/// A polite crawl of one site: limits the number of parallel requests and the time between them, and obeys
/// the robots.txt of each origin. The caller decides which pages to visit and what to do with them.
class Crawler {
 public:
  explicit Crawler(CrawlerOptions options);
  Crawler(const Crawler&) = delete;
  Crawler& operator=(const Crawler&) = delete;

  /// The rules of the site's own origin, which the caller has read.
  void set_robots(const site::RobotsRules& rules);

  [[nodiscard]] site::OriginRobots& robots() { return robots_; }
  [[nodiscard]] const http::fetch::FetchOptions& fetch_options() const { return fetch_; }
  /// Ends requests in progress and starts no others.
  void stop() { stopping_ = true; }
  /// Requests and bytes since the last call, for visits and for the robots.txt files of other origins.
  http::fetch::FetchUse take_use();

  /// Visits pages on `connections` threads. Returns true if everything was listed and processed.
  ///
  /// - `list(push)` runs on one thread. `push(PageRequest)` blocks until there is room; it returns false if
  ///   no more are wanted.
  /// - `make_worker()` is called for each thread. The function it returns turns a PageVisit into an Output.
  ///   It should store anything that must survive a kill, because the Output may wait long for its turn.
  /// - `take(Output)` runs on the caller's thread, in the order of the list. An error or false ends the
  ///   crawl; visits that this interrupts are `cancelled`.
  template <class Output, class List, class MakeWorker, class Take>
  base::Result<bool> visit_pages(const List& list, const MakeWorker& make_worker, const Take& take) {
    using Pipeline = base::OrderedPipeline<PageRequest, Output>;
    Pipeline pipeline(options_.fetch.connections, [this, &make_worker] {
      return [this, fetcher = std::make_shared<http::fetch::Fetcher>(fetch_), work = make_worker()](
                 PageRequest request) mutable { return work(visit(*fetcher, std::move(request))); };
    });
    base::Result<void> listed;
    base::Result<bool> taken = true;
    std::exception_ptr thrown;
    {
      const std::jthread reader([&] {
        try {
          listed = list([&](PageRequest request) { return pipeline.push(std::move(request)); });
        } catch (...) {
          thrown = std::current_exception();
        }
        pipeline.close();
      });
      // Unblocks the reader, which may be waiting for room in the pipeline, on every way out of this scope.
      const StopAtEnd<Pipeline> stop_at_end{pipeline};
      while (auto output = pipeline.next()) {
        taken = take(std::move(*output));
        if (!taken || !*taken) {
          stop();
          break;
        }
      }
    }
    if (thrown) std::rethrow_exception(thrown);
    if (taken && *taken && !listed) return std::unexpected(listed.error());
    return taken;
  }

 private:
  template <class Pipeline>
  struct StopAtEnd {
    Pipeline& pipeline;
    ~StopAtEnd() { pipeline.stop(); }
  };

  PageVisit visit(http::fetch::Fetcher& fetcher, PageRequest request);
  void set_delay(const base::Url& origin, const site::RobotsRules& rules);
  [[nodiscard]] site::AskRobots ask_robots();
  void add_use(const http::fetch::FetchUse& use);

  CrawlerOptions options_;
  std::atomic<bool> stopping_ = false;
  http::fetch::HostGate own_gate_;
  http::fetch::HostGate& gate_;
  http::fetch::FetchOptions fetch_;
  site::OriginRobots robots_;
  VisitOptions visit_;
  std::mutex use_mutex_;
  http::fetch::FetchUse use_;
};

}  // namespace sheaf::crawl
