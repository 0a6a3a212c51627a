#include "sheaf/http/fetch/address_rules.h"

#include "sheaf/base/code_points.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/http/message/client_check.h"
#include "sheaf/http/message/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace sheaf::http::fetch {
namespace {

std::vector<message::Network> networks(std::initializer_list<std::string_view> texts) {
  std::vector<message::Network> result;
  for (const std::string_view text : texts) result.push_back(*message::Network::parse(text));
  return result;
}

bool contains(const std::vector<message::Network>& list, const message::ClientAddress& address) {
  return std::ranges::any_of(list,
                             [&](const message::Network& network) { return network.contains(address); });
}

/// Special-purpose addresses (RFC 6890 and its successors), and multicast.
bool is_public_ipv4(const message::ClientAddress& address) {
  static const std::vector<message::Network> special =
      networks({"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
                "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
                "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"});
  return !contains(special, address);
}

/// The IPv4 address embedded in an IPv6 address at byte `offset`.
message::ClientAddress embedded_ipv4(const message::ClientAddress& address, std::size_t offset) {
  message::ClientAddress result = *message::parse_client_address("0.0.0.0");
  std::copy_n(address.bytes.begin() + static_cast<std::ptrdiff_t>(offset), 4, result.bytes.begin() + 12);
  return result;
}

bool is_public(const message::ClientAddress& address) {
  static const message::Network nat64 = *message::Network::parse("64:ff9b::/96");
  static const message::Network six_to_four = *message::Network::parse("2002::/16");
  static const message::Network unicast = *message::Network::parse("2000::/3");
  // 2001::/23 is reserved for protocols (Teredo, benchmarking, ORCHID); the others are documentation
  // prefixes.
  static const std::vector<message::Network> special = networks({"2001::/23", "2001:db8::/32", "3fff::/20"});
  if (address.is_ipv4()) return is_public_ipv4(address);
  if (nat64.contains(address)) return is_public_ipv4(embedded_ipv4(address, 12));
  if (six_to_four.contains(address)) return is_public_ipv4(embedded_ipv4(address, 2));
  return unicast.contains(address) && !contains(special, address);
}

/// The scheme of a reference with its colon: "file:" for "file:///etc/passwd". Empty if it has none.
std::string_view scheme_of(std::string_view text) {
  const std::size_t end = text.find_first_of(":/?#");
  if (end == 0 || end == std::string_view::npos || text[end] != ':') return {};
  return text.substr(0, end);
}

}  // namespace

base::Url without_credentials(const base::Url& url) {
  if (url.username().empty() && url.password().empty()) return url;
  std::string text = url.origin();
  text += url.path();
  if (url.has_query()) text.append("?").append(url.query());
  return *base::Url::parse(text);
}

bool is_public_address(std::string_view address) {
  const auto parsed = message::parse_client_address(address);
  return parsed && is_public(*parsed);
}

bool is_local_name(std::string_view host) noexcept {
  if (host.ends_with('.')) host.remove_suffix(1);
  constexpr std::array<std::string_view, 4> kNames = {"localhost", "localhost.localdomain", "ip6-localhost",
                                                      "ip6-loopback"};
  return std::ranges::find(kNames, host) != kNames.end() || host.ends_with(".localhost");
}

base::Error private_host_error(std::string_view url, std::string_view address) {
  return {base::Errc::refused,
          fmt::format("{}: {} is not fetched, because it is not a public address; --allow-private allows it",
                      url, address.empty() ? "this" : address)};
}

base::Result<void> check_literal_host(const base::Url& url) {
  std::string_view host = url.host();
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  const bool literal = message::parse_client_address(host).has_value();
  if (literal ? is_public_address(host) : !is_local_name(host)) return {};
  return std::unexpected(private_host_error(shown_url(url), host));
}

base::Result<base::Url> redirect_target(std::string_view location, const base::Url& from,
                                        bool allow_downgrade) {
  const auto parsed = base::Url::parse(location, &from);
  const std::string shown = base::make_valid_utf8(base::cut_utf8(location, 200));
  if (!parsed) {
    const std::string_view scheme = scheme_of(location);
    const bool other = !scheme.empty() && !message::equal_ignoring_case(scheme, "http") &&
                       !message::equal_ignoring_case(scheme, "https");
    return base::fail(
        other ? base::Errc::refused : base::Errc::invalid_data,
        fmt::format("{} redirects to {}, which is not an http or https URL", shown_url(from), shown));
  }
  if (from.scheme() == "https" && parsed->scheme() == "http" && !allow_downgrade)
    return base::fail(base::Errc::refused,
                      fmt::format("{} redirects to {}, from https to http; --allow-http follows it anyway",
                                  shown_url(from), shown_url(*parsed)));
  const base::Url target = parsed->without_fragment();
  return target.origin() == from.origin() ? target : without_credentials(target);
}

std::string host_key(const base::Url& url) {
  const unsigned default_port = url.scheme() == "https" ? 443 : 80;
  return fmt::format("{}:{}", url.host(), url.port() ? unsigned{*url.port()} : default_port);
}

std::string shown_url(const base::Url& url) {
  constexpr std::size_t kShown = 300;
  std::string text(without_credentials(url).href());
  if (text.size() > kShown) text = text.substr(0, kShown) + "...";
  return text;
}

namespace {

bool is_covered(std::string_view entry, std::string_view host) {
  if (entry == "*") return true;
  if (entry.starts_with('[') && entry.ends_with(']')) entry = entry.substr(1, entry.size() - 2);
  if (const auto address = message::parse_client_address(host)) {
    const auto network = message::Network::parse(entry);
    return network && network->contains(*address);
  }
  if (entry.starts_with('.')) entry.remove_prefix(1);
  if (entry.empty() || host.size() < entry.size()) return false;
  const std::size_t begin = host.size() - entry.size();
  return message::equal_ignoring_case(host.substr(begin), entry) && (begin == 0 || host[begin - 1] == '.');
}

bool is_excepted(std::string_view list, std::string_view host) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(", "), list.size());
    if (end > 0 && is_covered(list.substr(0, end), host)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace

ProxySettings read_proxy_settings(const std::function<std::string(const char*)>& variable) {
  const auto either = [&](const char* lower, const char* upper) {
    std::string value = variable(lower);
    return value.empty() ? variable(upper) : value;
  };
  return {.http = variable("http_proxy"),
          .https = either("https_proxy", "HTTPS_PROXY"),
          .all = either("all_proxy", "ALL_PROXY"),
          .except = either("no_proxy", "NO_PROXY")};
}

std::string choose_proxy(const ProxySettings& settings, const base::Url& url) {
  std::string_view host = url.host();
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  if (host.ends_with('.')) host.remove_suffix(1);
  if (is_excepted(settings.except, host)) return {};
  const std::string& own = url.scheme() == "https" ? settings.https : settings.http;
  return own.empty() ? settings.all : own;
}

}  // namespace sheaf::http::fetch
