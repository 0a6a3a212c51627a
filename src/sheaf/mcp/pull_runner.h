#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sheaf::mcp {

/// Pulls sites at a client's request, one at a time, in a thread. A pull may take hours and a client waits
/// for a minute: so a request waits a little, and the next one for the same site returns the result.
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
    std::string site;  ///< that is being pulled
    Outcome outcome;   ///< of a finished one
  };

  explicit PullRunner(Pull pull) : pull_(std::move(pull)) {}
  /// Stops a pull under way.
  ~PullRunner();
  PullRunner(const PullRunner&) = delete;
  PullRunner& operator=(const PullRunner&) = delete;

  /// Begins a pull of the site, or goes on waiting for the one under way, for at most `wait`. A finished pull
  /// is reported once; asked for again, it begins anew.
  State request(const std::string& site, std::chrono::milliseconds wait);

 private:
  Pull pull_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> is_stopped_ = false;
  std::string site_;  ///< empty while nothing is under way and nothing is to be reported
  std::optional<Outcome> outcome_;
  std::thread thread_;
};

}  // namespace sheaf::mcp
