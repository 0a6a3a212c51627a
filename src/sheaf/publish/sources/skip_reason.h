#pragma once

#include <cstdint>

namespace sheaf::publish {

/// Why a page is not published. The numbers are stored in catalogs: append new values at the end.
enum class SkipReason : std::uint8_t {
  none,  ///< the page is published
  noindex,
  draft,
  future,
  redirect,
  error_page,
  duplicate,
  canonical_elsewhere,
  robots_disallowed,
  no_address,
  no_content,
  unreadable,
  refused,   ///< over a limit, or has a field that no reader would accept
  gone,      ///< a live site's sitemap lists it, but it does not exist
  not_html,  ///< a document of a live site that is not HTML
};
inline constexpr SkipReason kLastSkipReason = SkipReason::not_html;

}  // namespace sheaf::publish
