#pragma once

#include "sheaf/base/file.h"
#include "sheaf/base/url.h"
#include "sheaf/doctor/site_facts.h"
#include "sheaf/doctor/site_inspection.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/http/fetch/host_gate.h"
#include "sheaf/site/origin_robots.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::doctor {

/// How much of a body is kept in memory.
inline constexpr std::size_t kStartBytes = 2048;

/// One request.
struct ProbeRequest {
  std::string url;
  std::string method = "GET";
  std::vector<std::pair<std::string, std::string>> headers = {};
  /// The transfer ends after so many bytes, and that is not an error.
  std::uint64_t enough = std::numeric_limits<std::uint64_t>::max();
  base::SpoolFile* spool = nullptr;  ///< gets the body; may be null
  bool follow = true;                ///< redirects
};

/// Sends requests and records them, within a budget. One thread.
class ProbeClient {
 public:
  ProbeClient(const base::Url& site, const InspectOptions& options);

  /// Not made if the budget is used up.
  ProbeExchange send(const ProbeRequest& request);

  /// From now on requests to the site keep the Crawl-delay of its robots.txt.
  void obey(const site::RobotsRules& rules);
  /// Whether robots.txt allows a URL of the site. URLs of other origins are allowed, as in a pull.
  [[nodiscard]] bool allows(const base::Url& url) const;

  [[nodiscard]] bool is_exhausted() const;
  [[nodiscard]] std::uint64_t requests() const { return requests_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// For requests that are made elsewhere; count_use() adds them.
  http::fetch::Fetcher& fetcher() { return fetcher_; }
  void count_use();

 private:
  const base::Url& site_;
  const InspectOptions& options_;
  http::fetch::HostGate gate_;
  http::fetch::Fetcher fetcher_;
  site::RobotsRules rules_;
  std::uint64_t requests_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace sheaf::doctor
