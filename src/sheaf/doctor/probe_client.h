#pragma once

#include "sheaf/base/file.h"
#include "sheaf/base/url.h"
#include "sheaf/doctor/site_facts.h"
#include "sheaf/doctor/site_inspection.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/http/fetch/host_gate.h"
#include "sheaf/site/site_robots.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::doctor {

/// How many bytes of a body are kept in memory.
inline constexpr std::size_t kStartBytes = 2048;

/// One request.
struct ProbeRequest {
  std::string url;
  std::string method = "GET";
  std::vector<std::pair<std::string, std::string>> headers = {};
  /// The transfer ends after this many bytes, which is not an error.
  std::uint64_t enough = std::numeric_limits<std::uint64_t>::max();
  base::SpoolFile* spool = nullptr;  ///< receives the body; may be null
  bool follow = true;                ///< follow redirects
};

/// Sends requests and records the responses, within a budget. Not thread-safe.
class ProbeClient {
 public:
  ProbeClient(const base::Url& site, const InspectOptions& options);

  /// If the budget is used up, no request is made: see ProbeExchange::was_made().
  ProbeExchange send(const ProbeRequest& request);

  /// Obeys the site's robots.txt from now on: its rules in allows(), its Crawl-delay between requests.
  void obey(const site::RobotsRules& rules);
  /// Whether robots.txt allows a URL of the site. URLs of other origins are allowed, as in a pull.
  [[nodiscard]] bool allows(const base::Url& url) const;

  [[nodiscard]] bool is_exhausted() const;
  /// Whether the time is used up.
  [[nodiscard]] bool is_late() const { return is_late_(); }
  [[nodiscard]] std::uint64_t requests() const { return requests_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// For requests that other code makes; count_use() adds them to the budget.
  http::fetch::Fetcher& fetcher() { return fetcher_; }
  void count_use();

 private:
  const base::Url& site_;
  const InspectOptions& options_;
  http::fetch::HostGate gate_;
  std::function<bool()> is_late_;
  http::fetch::Fetcher fetcher_;
  site::RobotsRules rules_;
  std::uint64_t requests_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace sheaf::doctor
