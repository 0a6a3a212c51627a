#pragma once

#include "sheaf/base/ascii.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

/// Whether one or both slashes after the scheme are missing: "https:/example.com". Browsers read this as
/// https://example.com, but where the scheme is optional it could also mean the host `https`. So callers
/// refuse it as a typing error.
inline bool is_slash_missing(std::string_view text) {
  for (const std::string_view scheme : {"http:", "https:"})
    if (lower_text(text.substr(0, scheme.size())) == scheme)
      return !text.substr(scheme.size()).starts_with("//");
  return false;
}

/// Whether `url` is an absolute http or https URL that needs no repair: "http://" or "https://" in any case,
/// optional userinfo, a host that is not empty (in brackets: a valid IPv6 address), an optional port up to
/// 65535, and no ASCII white space, control character or backslash anywhere. Any other character is accepted,
/// including non-ASCII. Does not allocate, because it is called for every page and link of a collection.
///
/// This differs from Url::parse, which repairs (it accepts " http:\\EXAMPLE.com") and checks the host (it
/// rejects "http://a<b/").
[[nodiscard]] bool is_http_url(std::string_view url) noexcept;

/// An http or https URL, parsed and normalised by the WHATWG URL Standard. Equivalent URLs have the same
/// href().
///
/// All views point into the Url and are valid until it is assigned to, moved from or destroyed. A moved-from
/// Url can only be assigned to or destroyed.
class Url {
 public:
  /// Parses an absolute URL or, with a base, a relative reference. Invalid UTF-8 is read as U+FFFD. Returns
  /// nullopt if the standard requires failure, if the result is not http or https, or if the input or the
  /// result exceeds 64 MiB. Allocates once for an ASCII URL in normal form.
  [[nodiscard]] static std::optional<Url> parse(std::string_view input, const Url* base = nullptr);

  /// The whole URL, ASCII only.
  [[nodiscard]] std::string_view href() const noexcept { return href_; }

  /// "http" or "https".
  [[nodiscard]] std::string_view scheme() const noexcept { return part(0, scheme_end_); }

  /// Percent-encoded; empty if there is none.
  [[nodiscard]] std::string_view username() const noexcept { return part(scheme_end_ + 3, username_end_); }
  [[nodiscard]] std::string_view password() const noexcept {
    return host_start_ > username_end_ + 1 ? part(username_end_ + 1, host_start_ - 1) : std::string_view();
  }

  /// Never empty: a domain in lower-case ASCII, an IPv4 address, or an IPv6 address in brackets. Without the
  /// port.
  [[nodiscard]] std::string_view host() const noexcept { return part(host_start_, host_end_); }

  /// Nullopt for the scheme's default port.
  [[nodiscard]] std::optional<std::uint16_t> port() const noexcept {
    return path_start_ > host_end_ ? std::optional(port_) : std::nullopt;
  }

  /// Begins with '/', without dot segments.
  [[nodiscard]] std::string_view path() const noexcept { return part(path_start_, query_start_); }

  /// Without the '?'. Empty for a missing or empty query; has_query() distinguishes them.
  [[nodiscard]] std::string_view query() const noexcept {
    return has_query() ? part(query_start_ + 1, fragment_start_) : std::string_view();
  }
  [[nodiscard]] bool has_query() const noexcept { return query_start_ < fragment_start_; }

  /// Without the '#'. Empty for a missing or empty fragment; has_fragment() distinguishes them.
  [[nodiscard]] std::string_view fragment() const noexcept {
    return has_fragment() ? std::string_view(href_).substr(fragment_start_ + 1) : std::string_view();
  }
  [[nodiscard]] bool has_fragment() const noexcept { return fragment_start_ < href_.size(); }

  /// Scheme, host and port: "https://example.com:8080".
  [[nodiscard]] std::string origin() const;

  /// A copy without the fragment.
  [[nodiscard]] Url without_fragment() const;

  friend bool operator==(const Url& a, const Url& b) noexcept { return a.href_ == b.href_; }

 private:
  friend class UrlParser;
  Url() = default;

  [[nodiscard]] std::string_view part(std::uint32_t begin, std::uint32_t end) const noexcept {
    return {href_.data() + begin, end - begin};
  }

  // https://user:pass@example.com:8080/path?query#fragment
  //      |      |     |          |    |    |     |
  //      |      |     |          |    |    |     fragment_start_, or the length
  //      |      |     |          |    |    query_start_, or fragment_start_
  //      |      |     |          |    path_start_; the port and its colon are before it
  //      |      |     |          host_end_
  //      |      |     host_start_
  //      |      username_end_; the same as host_start_ without credentials
  //      scheme_end_
  std::string href_;
  std::uint32_t scheme_end_ = 0;
  std::uint32_t username_end_ = 0;
  std::uint32_t host_start_ = 0;
  std::uint32_t host_end_ = 0;
  std::uint32_t path_start_ = 0;
  std::uint32_t query_start_ = 0;
  std::uint32_t fragment_start_ = 0;
  std::uint16_t port_ = 0;
};

}  // namespace sheaf::base
