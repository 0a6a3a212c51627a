#include "sheaf/mcp/pull_runner.h"

#include <system_error>
#include <utility>

namespace sheaf::mcp {

PullRunner::~PullRunner() {
  is_stopped_ = true;
  is_stopped_.notify_all();
  if (thread_.joinable()) thread_.join();
}

PullRunner::State PullRunner::request(const std::string& site, std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  const bool is_running = job_ && !job_->outcome;
  if (is_running && job_->site != site) return {State::Kind::busy, job_->site, {}};
  // An outcome that nobody requested again is dropped when another site is requested.
  if (!job_ || job_->site != site) start(site);
  const std::shared_ptr<const Job> job = job_;
  const bool is_done = changed_.wait_for(lock, wait, [&] { return job->outcome.has_value(); });
  if (!is_done) return {State::Kind::running, site, {}};
  if (job_ == job) job_.reset();
  return {State::Kind::finished, site, *job->outcome};
}

void PullRunner::start(const std::string& site) {
  if (thread_.joinable()) thread_.join();
  job_ = std::make_shared<Job>(Job{site, std::nullopt});
  try {
    thread_ = std::thread([this, job = job_] {
      Outcome outcome = pull_(job->site, is_stopped_);
      const std::lock_guard lock(mutex_);
      job->outcome = std::move(outcome);
      changed_.notify_all();
    });
  } catch (const std::system_error& error) {
    job_->outcome = Outcome{false, "cannot start a thread for the pull: " + error.code().message()};
  }
}

}  // namespace sheaf::mcp
