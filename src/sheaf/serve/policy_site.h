#pragma once

#include "sheaf/access/access_policy.h"
#include "sheaf/access/quota_table.h"
#include "sheaf/http/server/request_handler.h"
#include "sheaf/serve/file_site.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace sheaf::serve {

/// In front of a site: who gets which file is decided by a policy, which can be replaced at any time.
/// Requests under way keep the policy they began with.
class PolicySite final : public http::server::RequestHandler {
 public:
  /// `site` must outlive this. `clock` gives seconds since 1970.
  PolicySite(FileSite& site, access::AccessPolicy policy, std::function<std::int64_t()> clock);

  http::server::Response respond(const http::server::Request& request) override;
  void tick() override { site_.tick(); }

  void replace(access::AccessPolicy policy);

 private:
  struct Rules;
  [[nodiscard]] std::shared_ptr<const Rules> rules();

  FileSite& site_;
  std::function<std::int64_t()> clock_;
  access::QuotaTable quotas_;
  std::mutex mutex_;
  std::shared_ptr<const Rules> rules_;
};

/// The facts of a request that a policy is about. Views into `request` and `path`.
access::AccessRequest access_request(const http::server::Request& request, FileSite& site, std::int64_t now);

}  // namespace sheaf::serve
