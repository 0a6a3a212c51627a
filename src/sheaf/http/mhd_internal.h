#pragma once

#include "sheaf/http/server.h"

#include <microhttpd.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sheaf::http {

struct ResponseDeleter {
  void operator()(MHD_Response* response) const { MHD_destroy_response(response); }
};
using Response = std::unique_ptr<MHD_Response, ResponseDeleter>;

/// The answers that a resource gives most, made once and shared by every connection.
class Resource::Prepared {
 public:
  explicit Prepared(const Resource& resource);

  Response full;          ///< 200, sent with sendfile; null where the descriptor could not be duplicated
  Response not_modified;  ///< 304
};

/// All of the resource, for a connection whose bytes are encrypted here and so cannot be sent by the kernel.
Response make_full_response(const Resource& resource);
/// 206 with one range, or with several as multipart/byteranges.
Response make_partial_response(const Resource& resource, const std::vector<ByteRange>& ranges, bool encrypted,
                               std::uint64_t& body_size);
/// The body of an answer without a resource: its text, for errors after the status.
std::string text_of(const Answer& answer);
Response make_text_response(const Answer& answer, const std::string& text);

}  // namespace sheaf::http
