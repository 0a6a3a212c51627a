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

/// A pull of one site, now, whatever the schedule says. What is not given is as for the sites of the list.
struct PullDemand {
  base::Url site;
  std::vector<std::string> sections = {};
  std::optional<HtmlRoad> html = {};
  bool allow_shrink = false;
  std::function<void(const PullProgress&)> progress = {};
  std::function<void()> on_wait = {};  ///< the site is being pulled right now: this one comes after it
};

/// Where pulls are asked for while pull_many() runs in another thread. Give it to the fleet's options.
class FleetDesk {
 public:
  using Puller = std::function<base::Result<PullReport>(const PullDemand&)>;

  /// Makes the pull in the calling thread and returns its report. Any thread. Waits for a fleet that has not
  /// begun; Errc::refused once it ends.
  base::Result<PullReport> pull_now(const PullDemand& demand);

  /// For the fleet: it has begun.
  void open(Puller puller);
  /// For the fleet, or whoever gave up starting one: no more pulls. Waits for those under way.
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
