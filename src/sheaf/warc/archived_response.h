#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/warc/warc_record.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::warc {

/// A server's response, as a record has it.
struct ArchivedResponse {
  http::fetch::FetchHead head;
  std::string_view body;  ///< as transferred, still encoded; a view of the block
};

/// Parses the block of a record. A `response` record holds an HTTP message, a `revisit` record only the head
/// of a message. A `resource` record holds a document without a message; it counts as a response with status
/// 200. Fails with invalid_data if the record has another type or holds no HTTP response.
base::Result<ArchivedResponse> parse_response(const RecordHead& head, std::string_view block);

/// Returns the body without its transfer and content codings. Archives often keep the headers of codings that
/// the writer has removed. So a body that is not chunked or not compressed, although its headers say so, is
/// returned as it is. Fails with invalid_data if the body is damaged, truncated or longer than `limit`, or if
/// its coding is unknown.
base::Result<std::string> decode_body(const ArchivedResponse& response, std::uint64_t limit);

}  // namespace sheaf::warc
