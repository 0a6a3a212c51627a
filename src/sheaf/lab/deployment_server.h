#pragma once

#include "sheaf/base/error.h"
#include "sheaf/lab/deployment.h"
#include <sheaf/time.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sheaf::lab {

/// A request that reached a deployment.
struct LoggedRequest {
  LabRequest request = {};
  unsigned status = 0;
  std::uint64_t sent = 0;  ///< bytes of the body
};

/// How often a client may request one URL in one run.
inline constexpr std::uint64_t kMaxRepeats = 20;
/// How many requests a client may make in one run: the site has eight pages and eight collections.
inline constexpr std::uint64_t kMaxRequests = 200;

/// Returns what a client did wrong, one sentence per fault; empty if it behaved.
std::vector<std::string> judge_conduct(const Deployment& deployment, std::span<const LoggedRequest> log);

/// Serves one deployment on loopback. The site is published at the first request. Answers one request per
/// connection, each in its own thread. It does not use sheaf's HTTP server, because a deployment may break
/// any rule of HTTP.
class DeploymentServer {
 public:
  static constexpr std::size_t kMaxConnections = 64;

  /// If `port` is 0, any free port is used. The deployment must outlive the server.
  static base::Result<std::unique_ptr<DeploymentServer>> start(const Deployment& deployment, Instant now,
                                                               std::uint16_t port = 0);
  ~DeploymentServer();
  DeploymentServer(const DeploymentServer&) = delete;
  DeploymentServer& operator=(const DeploymentServer&) = delete;

  [[nodiscard]] const Deployment& deployment() const;
  /// The URL of the site: "http://127.0.0.1:4711", or "https://lab.example" for a deployment that needs https
  /// URLs.
  [[nodiscard]] const std::string& url() const;
  /// The address that it listens on: "127.0.0.1:4711".
  [[nodiscard]] const std::string& address() const;

  [[nodiscard]] std::vector<LoggedRequest> log() const;
  void clear_log();
  /// Why the site could not be published; empty if it was published, or not requested yet.
  [[nodiscard]] std::string failure() const;

 private:
  class Impl;
  explicit DeploymentServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::lab
