#include "sheaf/mcp/pull_runner.h"

#include <utility>

namespace sheaf::mcp {

PullRunner::~PullRunner() {
  is_stopped_ = true;
  is_stopped_.notify_all();
  if (thread_.joinable()) thread_.join();
}

PullRunner::State PullRunner::request(const std::string& site, std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  const bool is_under_way = !site_.empty() && !outcome_;
  if (is_under_way && site_ != site) return {State::Kind::busy, site_, {}};
  // A result that was not requested again is dropped when another site is requested.
  if (site_ != site) {
    if (thread_.joinable()) thread_.join();
    site_ = site;
    outcome_.reset();
    thread_ = std::thread([this, site] {
      Outcome outcome = pull_(site, is_stopped_);
      const std::lock_guard done(mutex_);
      outcome_ = std::move(outcome);
      changed_.notify_all();
    });
  }
  const bool is_done = changed_.wait_for(lock, wait, [this] { return outcome_.has_value(); });
  if (!is_done) return {State::Kind::running, site, {}};
  State state{State::Kind::finished, std::exchange(site_, {}), *std::exchange(outcome_, std::nullopt)};
  return state;
}

}  // namespace sheaf::mcp
