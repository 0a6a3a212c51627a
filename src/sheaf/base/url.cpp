#include "sheaf/base/url.h"

#include "sheaf/base/ip_address.h"

#include <array>
#include <cstddef>

namespace sheaf::base {
namespace {

enum Mark : std::uint8_t { plain, refused, authority_end, at_sign, colon };

constexpr auto make_mark_table() {
  std::array<Mark, 256> table{};
  for (std::size_t c = 0; c <= 0x20; ++c) table[c] = refused;
  table[0x7F] = refused;
  table['\\'] = refused;
  table['/'] = authority_end;
  table['?'] = authority_end;
  table['#'] = authority_end;
  table['@'] = at_sign;
  table[':'] = colon;
  return table;
}

constexpr auto kMarks = make_mark_table();

Mark mark_of(char c) noexcept { return kMarks[static_cast<unsigned char>(c)]; }

// The length of a leading "http://" or "https://"; 0 for anything else. Setting bit 5 converts letters to
// lower case and turns no other character into one of "htps".
std::size_t measure_prefix(std::string_view url) noexcept {
  constexpr std::string_view kHttp = "http";
  if (url.size() < 7) return 0;
  for (std::size_t i = 0; i < kHttp.size(); ++i) {
    if ((url[i] | 0x20) != kHttp[i]) return 0;
  }
  const std::size_t colon_at = (url[4] | 0x20) == 's' ? 5 : 4;
  return url.substr(colon_at, 3) == "://" ? colon_at + 3 : 0;
}

bool is_port(std::string_view text) noexcept {
  unsigned value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + static_cast<unsigned>(c - '0');
    if (value > 65535) return false;
  }
  return true;
}

bool is_bracketed_host(std::string_view host) noexcept {
  const std::size_t close = host.find(']');
  if (close == std::string_view::npos || !parse_ipv6(host.substr(1, close - 1))) return false;
  const std::string_view rest = host.substr(close + 1);
  return rest.empty() || (rest.front() == ':' && is_port(rest.substr(1)));
}

}  // namespace

bool is_http_url(std::string_view url) noexcept {
  const std::size_t start = measure_prefix(url);
  if (start == 0) return false;
  std::size_t host = start;
  std::size_t port_colon = 0;  // the first colon of the host, 0 for none
  std::size_t i = start;
  for (; i < url.size(); ++i) {
    const Mark mark = mark_of(url[i]);
    if (mark == plain) continue;
    if (mark == refused) return false;
    if (mark == authority_end) break;
    if (mark == at_sign) {
      host = i + 1;
      port_colon = 0;
    } else if (port_colon == 0) {
      port_colon = i;
    }
  }
  if (i == host || port_colon == host) return false;
  if (url[host] == '[') {
    if (!is_bracketed_host(url.substr(host, i - host))) return false;
  } else if (port_colon != 0 && !is_port(url.substr(port_colon + 1, i - port_colon - 1))) {
    return false;
  }
  // No early exit: invalid URLs are rare, and without it the loop is one load and one compare per byte.
  bool is_refused = false;
  for (; i < url.size(); ++i) is_refused |= mark_of(url[i]) == refused;
  return !is_refused;
}

std::string Url::origin() const {
  std::string out;
  const std::string_view host_and_port = part(host_start_, path_start_);
  out.reserve(scheme_end_ + 3 + host_and_port.size());
  return out.append(scheme()).append("://").append(host_and_port);
}

Url Url::without_fragment() const {
  Url copy;
  copy.href_.assign(href_, 0, fragment_start_);
  copy.scheme_end_ = scheme_end_;
  copy.username_end_ = username_end_;
  copy.host_start_ = host_start_;
  copy.host_end_ = host_end_;
  copy.path_start_ = path_start_;
  copy.query_start_ = query_start_;
  copy.fragment_start_ = fragment_start_;
  copy.port_ = port_;
  return copy;
}

}  // namespace sheaf::base
