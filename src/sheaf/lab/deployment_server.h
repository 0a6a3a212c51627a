#pragma once

#include "sheaf/base/error.h"
#include "sheaf/lab/conduct.h"
#include "sheaf/lab/deployment.h"
#include <sheaf/time.h>

#include <memory>
#include <string>
#include <vector>

namespace sheaf::lab {

/// Serves one deployment on loopback. The site is published when the first request comes. Answers one request
/// for each connection, in threads of its own, because a deployment may break any rule of HTTP.
class DeploymentServer {
 public:
  static constexpr std::size_t kMostConnections = 64;

  /// `port` 0: any free one. The deployment must outlive the server.
  static base::Result<std::unique_ptr<DeploymentServer>> start(const Deployment& deployment, Instant now,
                                                               std::uint16_t port = 0);
  ~DeploymentServer();
  DeploymentServer(const DeploymentServer&) = delete;
  DeploymentServer& operator=(const DeploymentServer&) = delete;

  [[nodiscard]] const Deployment& deployment() const;
  /// The site: "http://127.0.0.1:4711", or "https://lab.example" for one that needs https URLs.
  [[nodiscard]] const std::string& url() const;
  /// Where it listens: "127.0.0.1:4711".
  [[nodiscard]] const std::string& address() const;

  [[nodiscard]] std::vector<LoggedRequest> log() const;
  void forget_log();
  /// Why the site could not be published; empty if it could, or was not requested yet.
  [[nodiscard]] std::string failure() const;

 private:
  class Impl;
  explicit DeploymentServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::lab
