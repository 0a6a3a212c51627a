#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/warc/warc_record.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::warc {

/// What a server answered, as a record has it.
struct ArchivedResponse {
  http::fetch::FetchHead head;
  std::string_view body;  ///< as it came over the wire; borrows the block
};

/// Reads the block of a `response` record, an HTTP message; of a `revisit` record, the head of one; or of a
/// `resource` record, a document without one, which counts as a response with status 200. invalid_data:
/// another type, or not an HTTP response.
base::Result<ArchivedResponse> parse_response(const RecordHead& head, std::string_view block);

/// The body without its transfer and content codings. Archives often have the headers of codings that the
/// writer removed, so a body that is not chunked or not compressed, although its headers say so, is taken as
/// it is. invalid_data: damaged, cut, with a coding that we do not know, or longer than `limit`.
base::Result<std::string> decode_body(const ArchivedResponse& response, std::uint64_t limit);

}  // namespace sheaf::warc
