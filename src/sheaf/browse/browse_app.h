#pragma once

#include "sheaf/browse/browse_views.h"
#include "sheaf/http/server/server.h"

#include <atomic>
#include <string>
#include <vector>

namespace sheaf::browse {

struct BrowseOptions {
  std::string token = {};  ///< if not empty, requests need it: as Bearer, as cookie, or once as ?token=
  /// Hosts that Host and Origin may name, in addition to loopback names: "sheaf.example.com:8443".
  std::vector<std::string> hosts = {};
};

/// The web app: checks whether a request is allowed, and calls the view for its path.
///
/// Everything is read with GET. Only the inspector uses POST; its requests change nothing but the list of
/// inspections, and their Origin must be this server.
class BrowseApp final : public http::server::RequestHandler {
 public:
  BrowseApp(ViewContext context, BrowseOptions options);

  http::server::Response respond(const http::server::Request& request) override;
  [[nodiscard]] bool takes_posts() const override { return true; }
  std::shared_ptr<http::server::BodySink> begin_upload(const http::server::Request& head) override;

 private:
  [[nodiscard]] bool is_authorised(const http::message::Fields& fields) const;
  [[nodiscard]] http::server::Response ask_for_token(const http::server::Request& request) const;
  [[nodiscard]] http::server::Response show(const http::server::Request& request) const;
  [[nodiscard]] base::Result<ViewReply> post(const http::server::Request& request) const;
  [[nodiscard]] base::Result<ViewReply> open_named(const http::server::Request& request) const;
  [[nodiscard]] http::server::Response finish(base::Result<ViewReply> reply) const;

  ViewContext context_;
  BrowseOptions options_;
  std::atomic<int> streams_{0};
  std::string cookie_name_;
  std::string cookie_value_;
};

}  // namespace sheaf::browse
