#include "sheaf/http/message/request_parser.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/escaping.h"
#include "sheaf/base/hex.h"
#include "sheaf/http/message/message.h"

#include <algorithm>
#include <charconv>

namespace sheaf::http::message {
namespace {

using Fault = std::optional<RequestFault>;

Fault bad(std::string text) { return RequestFault{400, std::move(text)}; }

/// Letters, digits, and the punctuation of host names, IP addresses and ports. No character that could
/// smuggle in a path.
bool is_host(std::string_view host) {
  return std::all_of(host.begin(), host.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || base::is_alphanumeric(c) ||
           std::string_view("-._~:[]%!$&'()*+,;=").find(c) != std::string_view::npos;
  });
}

Fault check_host(std::string_view version, const Fields& fields) {
  const std::size_t count = fields.count("Host");
  if (count > 1) return bad("there is more than one Host");
  if (count == 0 && version != "HTTP/1.0") return bad("there is no Host");
  if (!is_host(trim_blanks(fields.first("Host")))) return bad("Host is not a host name");
  return std::nullopt;
}

Fault check_length(const Fields& fields, std::uint64_t largest) {
  if (fields.count("Content-Length") > 1) return bad("there is more than one Content-Length");
  const std::string_view text = trim_blanks(fields.first("Content-Length"));
  std::uint64_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (end != text.data() + text.size() || (error != std::errc() && error != std::errc::result_out_of_range))
    return bad("Content-Length is not a number");
  if (error != std::errc() || length > largest) return RequestFault{413, "the request body is too large"};
  return std::nullopt;
}

Fault check_framing(std::string_view version, const Fields& fields, std::uint64_t largest) {
  const bool has_length = fields.count("Content-Length") > 0;
  if (fields.count("Transfer-Encoding") == 0)
    return has_length ? check_length(fields, largest) : std::nullopt;
  if (has_length) return bad("Transfer-Encoding and Content-Length exclude each other");
  if (version == "HTTP/1.0") return bad("HTTP/1.0 has no Transfer-Encoding");
  if (!equal_ignoring_case(trim_blanks(fields.joined("Transfer-Encoding")), "chunked"))
    return RequestFault{501, "the only supported transfer coding is chunked"};
  return std::nullopt;
}

Fault check_fields(const Fields& fields) {
  for (const Field& field : fields.lines()) {
    if (!is_token(field.name)) return bad("a field name is not valid");
    if (!is_field_value(field.value)) return bad("a field has a control character in its value");
  }
  return std::nullopt;
}

bool has_token(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (equal_ignoring_case(trim_blanks(list.substr(0, comma)), token)) return true;
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return false;
}

}  // namespace

std::optional<RequestFault> check_head(std::string_view method, std::string_view version,
                                       const Fields& fields, std::size_t head_size,
                                       std::uint64_t largest_body) {
  if (head_size > kMaxHeadBytes) return RequestFault{431, "the head is over 16 KiB"};
  if (!is_token(method)) return bad("the method is not a token");
  for (const auto& fault :
       {check_fields(fields), check_host(version, fields), check_framing(version, fields, largest_body)})
    if (fault) return fault;
  if (fields.count("Expect") > 0 &&
      !equal_ignoring_case(trim_blanks(fields.joined("Expect")), "100-continue"))
    return RequestFault{417, "the only supported expectation is 100-continue"};
  return std::nullopt;
}

bool announces_body(const Fields& fields) {
  if (fields.count("Transfer-Encoding") > 0) return true;
  const std::string_view length = trim_blanks(fields.first("Content-Length"));
  return std::any_of(length.begin(), length.end(), [](char c) { return c != '0'; });
}

bool asks_to_close(std::string_view version, const Fields& fields) {
  const std::string wishes = fields.joined("Connection");
  if (has_token(wishes, "close")) return true;
  return version == "HTTP/1.0" && !has_token(wishes, "keep-alive");
}

namespace {

bool is_hex(char c) { return base::hex_value(c) >= 0; }

bool has_bad_character(std::string_view target) {
  return std::any_of(target.begin(), target.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7F || c == '#';
  });
}

bool has_bad_escape(std::string_view path) {
  for (std::size_t i = path.find('%'); i != std::string_view::npos; i = path.find('%', i + 1))
    if (path.size() - i < 3 || !is_hex(path[i + 1]) || !is_hex(path[i + 2])) return true;
  return false;
}

bool has_encoded_slash(std::string_view path) {
  for (std::size_t i = path.find("%2"); i != std::string_view::npos; i = path.find("%2", i + 1))
    if (path[i + 2] == 'F' || path[i + 2] == 'f') return true;
  return false;
}

bool has_dot_segment(std::string_view path) {
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::string_view segment = path.substr(0, path.find('/'));
    if (segment == "." || segment == "..") return true;
    path.remove_prefix(segment.size());
  }
  return false;
}

/// The path and query of "http://host:port/path?query"; empty for any other form.
std::string_view after_authority(std::string_view target) {
  const std::size_t colon = target.find("://");
  if (colon == std::string_view::npos) return {};
  const std::string_view scheme = target.substr(0, colon);
  if (!equal_ignoring_case(scheme, "http") && !equal_ignoring_case(scheme, "https")) return {};
  const std::string_view rest = target.substr(colon + 3);
  const std::size_t end = rest.find_first_of("/?");
  if (end == 0) return {};
  if (end == std::string_view::npos) return "/";
  return rest.substr(end);
}

}  // namespace

RequestTarget parse_request_target(std::string_view target) {
  RequestTarget result;
  if (target.size() > kMaxTargetLength) {
    result.kind = TargetKind::too_long;
    return result;
  }
  if (target == "*") {
    result.kind = TargetKind::asterisk;
    return result;
  }
  if (has_bad_character(target)) return result;
  std::string_view local = target.starts_with('/') ? target : after_authority(target);
  if (local.empty()) return result;
  const std::size_t mark = local.find('?');
  if (mark != std::string_view::npos) result.query = local.substr(mark + 1);
  std::string_view encoded = local.substr(0, mark);
  if (encoded.empty()) encoded = "/";
  if (has_bad_escape(encoded)) return result;
  std::string path = base::percent_decode(encoded);
  if (path.find('\0') != std::string::npos || has_dot_segment(path)) return result;
  result.has_encoded_slash = has_encoded_slash(encoded);
  result.path = std::move(path);
  result.kind = TargetKind::path;
  return result;
}

namespace {

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
