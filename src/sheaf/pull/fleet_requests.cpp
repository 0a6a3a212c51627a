#include "sheaf/pull/fleet_requests.h"

#include <utility>

namespace sheaf::pull {

base::Result<PullReport> FleetRequests::pull_now(const PullRequest& request) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stage_ != Stage::starting; });
    if (stage_ == Stage::closed)
      return base::fail(base::Errc::refused, "the process that holds the store is ending; pull again");
    ++under_way_;
  }
  auto report = puller_(request);
  const std::lock_guard lock(mutex_);
  --under_way_;
  changed_.notify_all();
  return report;
}

void FleetRequests::open(Puller puller) {
  const std::lock_guard lock(mutex_);
  if (stage_ != Stage::starting) return;
  puller_ = std::move(puller);
  stage_ = Stage::open;
  changed_.notify_all();
}

void FleetRequests::close() {
  std::unique_lock lock(mutex_);
  stage_ = Stage::closed;
  changed_.notify_all();
  changed_.wait(lock, [this] { return under_way_ == 0; });
}

}  // namespace sheaf::pull
