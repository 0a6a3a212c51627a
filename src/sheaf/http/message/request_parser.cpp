#include "sheaf/http/message/request_parser.h"

#include "sheaf/base/ascii.h"
#include "sheaf/http/message/request_target.h"

namespace sheaf::http::message {
namespace {

using Fault = std::optional<RequestFault>;

Fault bad(const char* text) { return RequestFault{400, text}; }

/// Removes a line from the front and returns it with its CR but without its LF. Nullopt if the line is
/// incomplete.
std::optional<std::string_view> take_line(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return line;
}

/// A line ends in CR LF. If one server accepts a bare LF and the next one does not, they disagree about where
/// a request ends (request smuggling).
Fault take_carriage_return(std::string_view& line) {
  if (!line.ends_with('\r')) return bad("a line ends in LF without CR");
  line.remove_suffix(1);
  return std::nullopt;
}

Fault read_version(std::string_view text, RequestHead& head) {
  if (text.size() != 8 || !text.starts_with("HTTP/") || !base::is_digit(text[5]) || text[6] != '.' ||
      !base::is_digit(text[7]))
    return bad("the request line has no HTTP version");
  if (text[5] != '1') return RequestFault{505, "only HTTP/1.1 and HTTP/1.0 are supported"};
  head.version = text[7] == '0' ? "HTTP/1.0" : "HTTP/1.1";
  return std::nullopt;
}

Fault read_request_line(std::string_view line, RequestHead& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last)
    return bad("the request line is not METHOD URL VERSION");
  head.method = line.substr(0, first);
  head.target = line.substr(first + 1, last - first - 1);
  if (head.target.empty() || head.target.find(' ') != std::string_view::npos)
    return bad("the request line is not METHOD URL VERSION");
  return read_version(line.substr(last + 1), head);
}

Fault read_field(std::string_view line, RequestHead& head) {
  if (line.starts_with(' ') || line.starts_with('\t')) return bad("a field is folded over two lines");
  if (head.fields.size() == kMaxFields) return RequestFault{431, "there are over 200 fields"};
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return bad("a field has no colon");
  head.fields.push_back({line.substr(0, colon), trim_blanks(line.substr(colon + 1))});
  return std::nullopt;
}

/// The fault of a head that is too large: 414 if its first line alone exceeds the limit, else 431.
Fault too_large(std::string_view request) {
  if (request.substr(0, kMaxHeadBytes).find('\n') == std::string_view::npos)
    return RequestFault{414, "the URL is over 8192 bytes"};
  return RequestFault{431, "the head is over 16 KiB"};
}

HeadResult faulty(Fault fault) { return {HeadStatus::faulty, 0, std::move(*fault)}; }

}  // namespace

HeadResult parse_head(std::string_view bytes, RequestHead& head) {
  head.method = head.target = head.version = {};
  head.fields.clear();  // keeps its capacity for the next request
  std::string_view rest = bytes;
  while (rest.starts_with("\r\n")) rest.remove_prefix(2);
  const std::string_view request = rest;
  auto line = take_line(rest);
  Fault fault;
  if (line) fault = take_carriage_return(*line);
  if (line && !fault) fault = read_request_line(*line, head);
  while (line && !fault) {
    line = take_line(rest);
    if (!line) break;
    fault = take_carriage_return(*line);
    if (fault) break;
    if (line->empty()) {
      const std::size_t size = bytes.size() - rest.size();
      // Blank lines count too, or a client could send them forever.
      if (size > kMaxHeadBytes) return faulty(too_large(request));
      return {HeadStatus::complete, size, {}};
    }
    fault = read_field(*line, head);
  }
  if (fault) return faulty(std::move(fault));
  if (bytes.size() > kMaxHeadBytes) return faulty(too_large(request));
  return {};
}

}  // namespace sheaf::http::message
