#pragma once

#include "sheaf/base/url.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::site {

/// Untrusted text for a message: shortened, and without terminal control characters.
std::string quote(std::string_view text);

/// Whether two texts are equal, ignoring ASCII case.
bool same_letters(std::string_view a, std::string_view b) noexcept;

/// Whether a User-Agent is that of a crawler or another program that is not a browser: it has a word like
/// "bot" in it, or does not begin like that of a browser. False if it is empty.
bool names_crawler(std::string_view user_agent);

/// The product name of a crawler without its version, such as "Examplebot" for "Examplebot/2.1" and for
/// "Mozilla/5.0 (compatible; Examplebot/2.1; ...)". At most 200 bytes.
std::string crawler_name(std::string_view user_agent);

/// The key that all URLs of a site share: the host without `www.`, and the port if it is not the default one.
std::string site_key(const base::Url& url);

/// Whether two URLs belong to the same site: the same host, ignoring `www.`, and the same port. http and
/// https on their default ports are the same site.
bool is_same_site(const base::Url& a, const base::Url& b);

enum class Canonical : std::uint8_t {
  same,       ///< another spelling of the same page's URL
  other,      ///< another page of this site: this page is a duplicate of it
  elsewhere,  ///< a page of another site
};

/// Compares a page's URL with its canonical URL. Scheme, `www.`, index files, extensions and a trailing slash
/// make no difference: the canonical URL is then only the spelling that the page prefers.
Canonical judge_canonical(const base::Url& address, const base::Url& canonical);

/// Parses a `lastmod`: the W3C profile of ISO 8601 (a year, a month, a day, or a time with or without seconds
/// and offset), and common deviations: a space instead of the T, an offset without colon or minutes, no
/// offset (read as UTC). Omitted parts get their first value: 2026 is 2026-01-01T00:00:00Z. Nullopt for
/// anything else.
std::optional<Instant> parse_lastmod(std::string_view text) noexcept;

}  // namespace sheaf::site
