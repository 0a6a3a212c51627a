#include "sheaf/http/fetch/proxy_choice.h"

#include "sheaf/http/message/client_address.h"
#include "sheaf/http/message/message.h"

namespace sheaf::http::fetch {
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
