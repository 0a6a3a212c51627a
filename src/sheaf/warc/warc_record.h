#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/fetch/fetcher.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// WARC 1.0 and 1.1 (ISO 28500): a file is a sequence of records. Each has a head, a block of Content-Length
// bytes, and two line ends.
namespace sheaf::warc {

/// Takes the next line from the front of `rest` and returns it without its line end (CR LF or LF).
inline std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

enum class RecordType : std::uint8_t {
  warcinfo,
  response,  ///< a server's response: an HTTP message
  request,
  resource,  ///< a document without the HTTP message that carried it
  revisit,   ///< fetched again, with the same content as an earlier record
  metadata,
  conversion,    ///< a document made from another record, such as its text
  continuation,  ///< a further part of a record that was split
  other,
};
inline constexpr std::size_t kRecordTypes = static_cast<std::size_t>(RecordType::other) + 1;

std::string_view to_string(RecordType type);

/// The head of a record.
struct RecordHead {
  RecordType type = RecordType::other;
  std::string url = {};              ///< WARC-Target-URI, without the angle brackets that some writers add
  std::optional<Instant> date = {};  ///< WARC-Date; nullopt if missing or not a time
  std::string id = {};               ///< WARC-Record-ID, as written
  std::string content_type = {};     ///< Content-Type, of the block
  std::string payload_type = {};     ///< WARC-Identified-Payload-Type
  std::string truncated = {};        ///< WARC-Truncated: why the writer cut the block; usually empty
  std::string payload_digest = {};   ///< WARC-Payload-Digest, as written: "sha1:..."
  std::string refers_to = {};        ///< of a revisit: WARC-Refers-To, the id of the earlier record
  std::string refers_to_url = {};    ///< of a revisit: WARC-Refers-To-Target-URI
  std::optional<Instant> refers_to_date = {};  ///< of a revisit: WARC-Refers-To-Date
  bool is_segment = false;                     ///< the block continues in continuation records
  std::uint64_t length = 0;                    ///< Content-Length, of the block
};

/// Parses a WARC-Date. WARC 1.1 allows reduced precision ("2026", "2026-05", "2026-05-01", without seconds),
/// which means the beginning of that period.
std::optional<Instant> parse_warc_date(std::string_view text);

/// Whether a record may begin with this line: "WARC/1.0" or another version.
bool is_version_line(std::string_view line);

/// Parses the lines of a head, from the version line to the last field, without the empty line. Field names
/// are case-insensitive, unknown fields are skipped, folded lines are joined, and of a repeated field the
/// last one counts. A missing or unknown type becomes `other`. Fails with invalid_data if the version line is
/// malformed or there is no usable Content-Length.
base::Result<RecordHead> parse_record_head(std::string_view text);

/// The fields of a record to write.
struct RecordFields {
  RecordType type = RecordType::other;
  std::string_view url = {};  ///< left out if empty
  Instant date = {};
  std::string_view id = {};  ///< "<urn:uuid:...>"
  std::string_view content_type = {};
  std::vector<std::pair<std::string_view, std::string_view>> more = {};
};

/// Returns the head as text, including the empty line at its end. Line ends within values become spaces.
std::string format_record_head(const RecordFields& fields, std::uint64_t length);

/// Returns a new random record id: "<urn:uuid:...>".
std::string new_record_id();

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
