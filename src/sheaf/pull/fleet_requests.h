#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/pull/pull.h"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::pull {

/// An immediate pull of one site, independent of the schedule. Options that are not given are those of the
/// list.
struct PullRequest {
  base::Url site;
  std::vector<std::string> sections = {};
  std::optional<FetchPages> html = {};
  bool allow_shrink = false;
  std::function<void(const PullProgress&)> progress = {};
  std::function<void()> on_wait = {};  ///< called if the site is being pulled already; this pull follows
};

/// Pulls that are requested while pull_many() runs in another thread. Pass it in the fleet's options.
class FleetRequests {
 public:
  using Puller = std::function<base::Result<PullReport>(const PullRequest&)>;

  /// Pulls in the calling thread and returns the report. Any thread. Waits until the fleet has begun;
  /// Errc::refused once it has ended.
  base::Result<PullReport> pull_now(const PullRequest& request);

  /// For the fleet: it has begun.
  void open(Puller puller);
  /// For the fleet, or for a caller that does not start one after all: no more pulls. Waits for those under
  /// way.
  void close();

 private:
  enum class Stage : std::uint8_t { starting, open, closed };

  std::mutex mutex_;
  std::condition_variable changed_;
  Stage stage_ = Stage::starting;
  std::size_t under_way_ = 0;
  Puller puller_;
};

}  // namespace sheaf::pull
