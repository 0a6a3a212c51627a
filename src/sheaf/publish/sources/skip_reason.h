#pragma once

#include <cstdint>

namespace sheaf::publish {

/// Why a page is not published. Stored in catalogs: new ones come last.
enum class SkipReason : std::uint8_t {
  none,  ///< it is
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
  refused,   ///< over a limit, or with a field no reader would take
  gone,      ///< a live site's sitemap names it, but it is not there
  not_html,  ///< of a live site: another kind of document
};
inline constexpr SkipReason kLastSkipReason = SkipReason::not_html;

}  // namespace sheaf::publish
