#pragma once

#include "sheaf/http/server/server.h"
#include "sheaf/http/signature/agent_keys.h"
#include "sheaf/http/signature/web_bot_auth.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace sheaf::serve {

struct AgentCheckOptions {
  bool allow_private = false;  ///< allow key directories at private addresses and over http
  http::signature::AgentKeysOptions keys = {};
};

/// Creates the key store that verifies crawlers by their signatures. Key directories are fetched with the
/// same protections as pages of a crawl.
std::unique_ptr<http::signature::AgentKeys> make_agent_keys(const AgentCheckOptions& options);

/// Wraps a request handler. Verifies the identity of clients (Web Bot Auth) for the access log, and serves
/// the key directory of our own identity. Does not refuse requests without a signature or with a wrong one.
class AgentHandler final : public http::server::RequestHandler {
 public:
  /// `keys` and `own` may be empty. `site` must outlive this.
  AgentHandler(http::server::RequestHandler& site, std::unique_ptr<http::signature::AgentKeys> keys,
               std::optional<http::signature::BotIdentityFiles> own, std::function<std::int64_t()> clock);

  http::server::Response respond(const http::server::Request& request) override;
  void tick() override { site_.tick(); }

 private:
  [[nodiscard]] http::server::Response directory(const http::server::Request& request) const;

  http::server::RequestHandler& site_;
  std::unique_ptr<http::signature::AgentKeys> keys_;
  std::optional<http::signature::BotIdentityFiles> own_;
  std::function<std::int64_t()> clock_;
};

}  // namespace sheaf::serve
