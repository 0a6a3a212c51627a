#include "sheaf/http/message/request_target.h"

#include "sheaf/base/hex.h"
#include "sheaf/base/percent_encoding.h"
#include "sheaf/http/message/message.h"

#include <algorithm>

namespace sheaf::http::message {
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

}  // namespace sheaf::http::message
