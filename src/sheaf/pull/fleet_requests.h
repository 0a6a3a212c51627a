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

/// An immediate pull of one site, independent of the schedule. Options that are not set are those of the
/// fleet.
struct PullRequest {
  base::Url site;
  std::vector<std::string> sections = {};
  std::optional<FetchPages> html = {};
  bool allow_shrink = false;
  std::function<void(const PullProgress&)> progress = {};
  std::function<void()> on_wait = {};  ///< called if the site is already being pulled; this pull then follows
};

/// Lets other threads request pulls while pull_many() runs. Pass it in the fleet's options.
class FleetRequests {
 public:
  using Puller = std::function<base::Result<PullReport>(const PullRequest&)>;

  /// Pulls on the calling thread and returns the report. Thread-safe. Waits until the fleet has started;
  /// fails with Errc::refused once the fleet has ended.
  base::Result<PullReport> pull_now(const PullRequest& request);

  /// Called by the fleet when it has started.
  void open(Puller puller);
  /// Accepts no more requests and waits for those in progress. Called by the fleet at its end, or by a caller
  /// that does not start a fleet after all.
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
