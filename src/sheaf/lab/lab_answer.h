#pragma once

#include "sheaf/http/message/message.h"
#include "sheaf/lab/lab_site.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::lab {

struct LabRequest {
  std::string method = "GET";
  std::string path = {};  ///< including the query
  std::vector<std::pair<std::string, std::string>> headers = {};

  /// Returns the value of the first header with this name, ignoring case; empty if there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const;
  void remove_header(std::string_view name);
};

struct LabResponse {
  unsigned status = 404;
  std::vector<http::message::Header> headers = {};
  std::string body = {};
  std::optional<std::uint64_t> stated_length = {};  ///< Content-Length to send, if not the body's size
  bool with_length = true;  ///< false: no Content-Length; the end of the connection ends the body
  std::size_t cut_after = std::string::npos;  ///< bytes of the body after which the connection breaks

  [[nodiscard]] std::string_view header(std::string_view name) const;
  void set_header(std::string_view name, std::string_view value);
  void remove_header(std::string_view name);
};

/// The correct response of a static file server, including conditional requests, ranges and HEAD (RFC 9110).
LabResponse answer_request(const LabSite& site, const LabRequest& request);

/// Returns a response with this text as its body.
LabResponse plain_response(unsigned status, std::string text, std::string_view type = "text/plain");

}  // namespace sheaf::lab
