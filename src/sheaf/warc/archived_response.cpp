#include "sheaf/warc/archived_response.h"

#include "sheaf/base/ascii.h"
#include "sheaf/http/message/chunked_body.h"
#include "sheaf/http/message/content_coding.h"
#include "sheaf/http/message/message.h"
#include "sheaf/warc/text_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sheaf::warc {
namespace {

using base::Result;
using base::trim_blanks;
using http::message::equal_ignoring_case;

// The same limit as in the fetcher: far more than any honest server sends.
constexpr std::size_t kMessageHeadBytes = std::size_t{256} << 10;

base::Error bad_message(std::string_view what) {
  return {base::Errc::invalid_data, fmt::format("a response record {}", what)};
}

/// Returns 200 for "HTTP/1.1 200 OK", and 0 if this is not a status line.
int parse_status_line(std::string_view line) {
  if (line.size() < 5 || !equal_ignoring_case(line.substr(0, 5), "HTTP/")) return 0;
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return 0;
  const std::string_view digits = trim_blanks(line.substr(space)).substr(0, 3);
  int status = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), status);
  return error == std::errc() && end == digits.data() + 3 ? status : 0;
}

void add_header(std::vector<std::pair<std::string, std::string>>& headers, std::string_view line) {
  const bool is_folded = line.starts_with(' ') || line.starts_with('\t');
  if (is_folded && !headers.empty()) {
    headers.back().second += ' ';
    headers.back().second += trim_blanks(line);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  headers.emplace_back(base::lower_text(trim_blanks(line.substr(0, colon))),
                       trim_blanks(line.substr(colon + 1)));
}

bool is_http_message(std::string_view content_type) {
  const std::string_view type = trim_blanks(content_type.substr(0, content_type.find(';')));
  return type.empty() || equal_ignoring_case(type, "application/http");
}

/// Whether a body that cannot be decoded looks like HTML or XML that was never encoded.
bool looks_like_markup(std::string_view body) {
  const std::size_t start = body.find_first_not_of(" \t\r\n\f\xEF\xBB\xBF");
  return start != std::string_view::npos && body[start] == '<';
}

}  // namespace

Result<ArchivedResponse> parse_response(const RecordHead& head, std::string_view block) {
  ArchivedResponse response;
  response.head.url = head.url;
  if (head.type == RecordType::resource) {
    response.head.status = 200;
    response.head.headers.emplace_back("content-type", head.content_type);
    response.body = block;
    return response;
  }
  const bool may_have_message = head.type == RecordType::response || head.type == RecordType::revisit;
  if (!may_have_message || !is_http_message(head.content_type))
    return std::unexpected(bad_message("has no HTTP message"));
  std::string_view rest = block;
  response.head.status = parse_status_line(take_line(rest));
  if (response.head.status == 0) return std::unexpected(bad_message("does not begin with a status line"));
  while (true) {
    if (block.size() - rest.size() > kMessageHeadBytes)
      return std::unexpected(bad_message("has headers over 256 KiB"));
    if (rest.empty()) return std::unexpected(bad_message("ends within its headers"));
    const std::string_view line = take_line(rest);
    if (line.empty()) break;
    add_header(response.head.headers, line);
  }
  response.body = rest;
  return response;
}

Result<std::string> decode_body(const ArchivedResponse& response, std::uint64_t limit) {
  auto chunked = response.head.joined("transfer-encoding").find("chunked") != std::string::npos
                     ? http::message::decode_chunked(response.body)
                     : std::nullopt;
  if (chunked && !chunked->is_whole) return std::unexpected(bad_message("has a body that is cut"));
  const std::string_view plain = chunked ? std::string_view(chunked->bytes) : response.body;
  const std::string coding = response.head.joined("content-encoding");
  auto decoded = http::message::decode_content(std::string(plain), coding, limit);
  if (!decoded && plain.size() <= limit && looks_like_markup(plain)) return std::string(plain);
  return decoded;
}

}  // namespace sheaf::warc
