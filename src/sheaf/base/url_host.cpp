#include "sheaf/base/url_host.h"

#include "sheaf/base/idna.h"
#include "sheaf/base/ip_address.h"
#include "sheaf/base/percent_encoding.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sheaf::base {
namespace {

enum HostByte : std::uint8_t {
  plain = 0,
  upper = 1,
  forbidden = 2,
  encoded = 4
};  // encoded: '%' or not ASCII

constexpr auto make_host_table() {
  std::array<HostByte, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c) {
    if (c <= 0x20 || c == 0x7F) table[c] = forbidden;
    if (c >= 'A' && c <= 'Z') table[c] = upper;
    if (c >= 0x80) table[c] = encoded;
  }
  for (const char c : std::string_view("#/:<>?@[\\]^|")) table[static_cast<unsigned char>(c)] = forbidden;
  table['%'] = encoded;
  return table;
}

constexpr auto kHostBytes = make_host_table();

HostByte classify(char c) { return kHostBytes[static_cast<unsigned char>(c)]; }

bool append_bracketed(std::string& out, std::string_view host) {
  if (!host.ends_with(']')) return false;
  const std::optional<Ipv6Pieces> pieces = parse_ipv6(host.substr(1, host.size() - 2));
  if (!pieces) return false;
  out.push_back('[');
  append_ipv6(out, *pieces);
  out.push_back(']');
  return true;
}

enum class Appended { yes, refused, needs_decoding };

// Fast path for nearly every host: ASCII without percent-encoding, written straight to `out`.
Appended append_ascii_domain(std::string& out, std::string_view host) {
  unsigned seen = plain;
  for (const char c : host) seen |= classify(c);
  // Check this first: in a non-ASCII host, a forbidden character may combine into an allowed one ('<' and
  // U+0338 give U+226E).
  if ((seen & encoded) != 0) return Appended::needs_decoding;
  if ((seen & forbidden) != 0) return Appended::refused;
  const std::size_t start = out.size();
  out.append(host);
  if ((seen & upper) == 0) return Appended::yes;
  for (std::size_t i = start; i < out.size(); ++i) {
    if (classify(out[i]) == upper) out[i] = static_cast<char>(out[i] + ('a' - 'A'));
  }
  return Appended::yes;
}

bool append_domain(std::string& out, std::string_view host) {
  switch (append_ascii_domain(out, host)) {
    case Appended::yes: return true;
    case Appended::refused: return false;
    case Appended::needs_decoding: break;
  }
  const std::optional<std::string> ascii = domain_to_ascii(percent_decode(host));
  if (!ascii) return false;
  for (const char c : *ascii) {
    if (classify(c) != plain) return false;
  }
  out.append(*ascii);
  return true;
}

}  // namespace

bool append_host(std::string& out, std::string_view host) {
  if (host.starts_with('[')) return append_bracketed(out, host);
  const std::size_t start = out.size();
  if (!append_domain(out, host) || out.size() == start) return false;
  const std::string_view domain = std::string_view(out).substr(start);
  if (!ends_in_number(domain)) return true;
  const std::optional<std::uint32_t> address = parse_ipv4(domain);
  if (!address) return false;
  out.resize(start);
  append_ipv4(out, *address);
  return true;
}

}  // namespace sheaf::base
