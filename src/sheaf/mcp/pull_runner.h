#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sheaf::mcp {

/// Pulls sites at a client's request, one at a time, on a thread. A pull may take hours, but a client waits
/// for only a minute. So a request waits for a short time, and the next request for the same site returns the
/// result. Thread-safe.
class PullRunner {
 public:
  struct Outcome {
    bool ok = false;
    std::string report;  ///< for the client
  };
  /// Pulls the site; ends early when the flag is set.
  using Pull = std::function<Outcome(const std::string& site, const std::atomic<bool>& is_stopped)>;

  struct State {
    enum class Kind { running, finished, busy };
    Kind kind = Kind::running;
    std::string site;  ///< the site that is being pulled
    Outcome outcome;   ///< outcome of a finished pull
  };

  explicit PullRunner(Pull pull) : pull_(std::move(pull)) {}
  /// Stops a running pull.
  ~PullRunner();
  PullRunner(const PullRunner&) = delete;
  PullRunner& operator=(const PullRunner&) = delete;

  /// Starts a pull of the site, or waits for the running one, for at most `wait`. A finished pull is reported
  /// to all requests that wait for it, or else to the next one; a later request starts a new pull.
  State request(const std::string& site, std::chrono::milliseconds wait);

 private:
  /// A pull. Each request keeps the job that it waits for: when it wakes up, another pull may be running.
  struct Job {
    const std::string site;
    std::optional<Outcome> outcome;  ///< not set while the pull is running
  };
  /// Requires the mutex, and that no pull is running.
  void start(const std::string& site);

  Pull pull_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> is_stopped_ = false;
  std::shared_ptr<Job> job_;  ///< null if no pull is running and no outcome is waiting
  std::thread thread_;
};

}  // namespace sheaf::mcp
