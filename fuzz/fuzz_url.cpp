// The input up to the first LF is a base, what follows a reference; without an LF it is one absolute URL.
#include "fuzz_support.h"
#include "sheaf/base/url.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace {

using sheaf::base::Url;
using sheaf::fuzz::inside;
using sheaf::fuzz::require;

void check_parts(const Url& url) {
  for (const std::string_view part :
       {url.scheme(), url.username(), url.password(), url.host(), url.path(), url.query(), url.fragment()}) {
    require(inside(part, url.href()));
  }
  require(url.scheme() == "http" || url.scheme() == "https");
  require(!url.host().empty());
  require(url.path().starts_with('/'));
  require(url.href().starts_with(url.scheme()));
}

void check(const Url& url) {
  check_parts(url);

  // The normal form is stable.
  const std::optional<Url> again = Url::parse(url.href());
  require(again.has_value() && again->href() == url.href());
  check_parts(*again);
  require(again->host() == url.host() && again->port() == url.port() && again->path() == url.path());
  require(again->username() == url.username() && again->password() == url.password());
  require(again->query() == url.query() && again->has_query() == url.has_query());
  require(again->fragment() == url.fragment() && again->has_fragment() == url.has_fragment());

  // What the standard makes good also passes as it stands, but for the backslash, which it leaves in queries
  // and fragments.
  const bool has_backslash = url.href().find('\\') != std::string_view::npos;
  require(sheaf::base::is_http_url(url.href()) == !has_backslash);

  // A page refers to itself with the empty reference.
  const std::optional<Url> self = Url::parse("", &url);
  require(self.has_value() && *self == url.without_fragment());
  check_parts(*self);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t newline = input.find('\n');
  const std::optional<Url> first = Url::parse(input.substr(0, newline));
  static_cast<void>(sheaf::base::is_http_url(input));
  if (first) check(*first);
  if (newline == std::string_view::npos || !first) return 0;
  const std::optional<Url> second = Url::parse(input.substr(newline + 1), &*first);
  if (second) check(*second);
  return 0;
}
