#pragma once

#include "sheaf/http/server/server.h"

#include <functional>
#include <string>
#include <utility>

namespace sheaf::cli {

/// Serves /metrics in Prometheus text format, and nothing else.
class MetricsPage final : public http::server::RequestHandler {
 public:
  explicit MetricsPage(std::function<std::string()> text) : text_(std::move(text)) {}

  http::server::Response respond(const http::server::Request& request) override {
    http::server::Response answer;
    answer.text = "metrics are at /metrics";
    if (request.path != "/metrics") return answer;
    answer.status = 200;
    answer.text = text_();
    answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
    return answer;
  }

  /// Options for a server with few clients.
  [[nodiscard]] static http::server::ServerOptions server_options() {
    http::server::ServerOptions small;
    small.threads = 1;
    small.most_connections = 64;
    return small;
  }

 private:
  std::function<std::string()> text_;
};

}  // namespace sheaf::cli
