#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

/// Whether `url` is an absolute http or https URL as it stands, with nothing repaired: "http://" or
/// "https://" in any case, perhaps userinfo and '@', a host that is not empty (in brackets: a valid IPv6
/// address), a port up to 65535 if there are digits after the colon, and no ASCII white space, control
/// character or backslash anywhere. Every other character passes, outside ASCII too. Allocates nothing; meant
/// for every page and link of a collection.
///
/// Not the same question as Url::parse: that one repairs (" http:\\EXAMPLE.com" is fine there, not here) and
/// knows what a host may be ("http://a<b/" is fine here, not there).
[[nodiscard]] bool is_http_url(std::string_view url) noexcept;

/// An http or https URL by the WHATWG URL Standard, parsed and in its normal form. Two spellings the standard
/// takes for the same URL have the same href().
///
/// All views borrow the Url and die when it is assigned to, moved from or destroyed. A moved-from Url may
/// only be assigned to or destroyed.
class Url {
 public:
  /// Parses `input`: an absolute URL or, with a base, any reference to be resolved against it. Bytes that are
  /// not UTF-8 count as U+FFFD. nullopt when the standard fails, when the result is not http or https, and
  /// when input or result pass 64 MiB. Allocates once for a plain ASCII URL that is in its normal form
  /// already.
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

  /// nullopt for the scheme's default port, spelt out or not.
  [[nodiscard]] std::optional<std::uint16_t> port() const noexcept {
    return path_start_ > host_end_ ? std::optional(port_) : std::nullopt;
  }

  /// Begins with '/', without dot segments.
  [[nodiscard]] std::string_view path() const noexcept { return part(path_start_, query_start_); }

  /// Without the '?'. Empty both for no query and for an empty one, which has_query() tells apart.
  [[nodiscard]] std::string_view query() const noexcept {
    return has_query() ? part(query_start_ + 1, fragment_start_) : std::string_view();
  }
  [[nodiscard]] bool has_query() const noexcept { return query_start_ < fragment_start_; }

  /// Without the '#'. Empty both for no fragment and for an empty one, which has_fragment() tells apart.
  [[nodiscard]] std::string_view fragment() const noexcept {
    return has_fragment() ? std::string_view(href_).substr(fragment_start_ + 1) : std::string_view();
  }
  [[nodiscard]] bool has_fragment() const noexcept { return fragment_start_ < href_.size(); }

  /// Scheme, host and port: "https://example.com:8080".
  [[nodiscard]] std::string origin() const;

  /// The same resource: a copy that ends where the fragment began.
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
  //      |      |     |          |    path_start_; the port and its colon lie before it
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
