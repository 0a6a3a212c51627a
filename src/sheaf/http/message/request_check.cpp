#include "sheaf/http/message/request_check.h"

#include "sheaf/base/ascii.h"

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

}  // namespace sheaf::http::message
