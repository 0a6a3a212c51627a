#pragma once

#include "sheaf/access/access_policy.h"
#include "sheaf/access/quota_table.h"
#include "sheaf/http/server/request_handler.h"
#include "sheaf/serve/file_handler.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace sheaf::serve {

/// Wraps a FileHandler: a policy decides who gets which file. The policy can be replaced at any time;
/// requests in progress keep the one they started with.
class PolicyHandler final : public http::server::RequestHandler {
 public:
  /// `site` must outlive this. `clock` gives seconds since 1970.
  PolicyHandler(FileHandler& site, access::AccessPolicy policy, std::function<std::int64_t()> clock);

  http::server::Response respond(const http::server::Request& request) override;
  void tick() override { site_.tick(); }

  void replace(access::AccessPolicy policy);

 private:
  struct Rules;
  [[nodiscard]] std::shared_ptr<const Rules> rules();

  FileHandler& site_;
  std::function<std::int64_t()> clock_;
  access::QuotaTable quotas_;
  std::mutex mutex_;
  std::shared_ptr<const Rules> rules_;
};

/// The facts of a request that a policy decides on. Has views of `request`.
access::AccessRequest access_request(const http::server::Request& request, FileHandler& site,
                                     std::int64_t now);

}  // namespace sheaf::serve
