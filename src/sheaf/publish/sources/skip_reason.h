#pragma once

#include "sheaf/visibility/page_rules.h"

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
  refused,       ///< over a limit, or has a field that no reader would accept
  gone,          ///< a live site's sitemap lists it, but it does not exist
  not_html,      ///< a document of a live site that is not HTML
  private_page,  ///< private, hidden, with a password
  expired,
  guarded,  ///< the web server asks for a login, or refuses the folder
  no_text,  ///< the bytes are not text
};
inline constexpr SkipReason kLastSkipReason = SkipReason::no_text;

/// The reason of a page that is not public.
constexpr SkipReason reason_of(visibility::Hold hold) {
  switch (hold) {
    case visibility::Hold::none: return SkipReason::none;
    case visibility::Hold::draft: return SkipReason::draft;
    case visibility::Hold::secret: return SkipReason::private_page;
    case visibility::Hold::noindex: return SkipReason::noindex;
    case visibility::Hold::future: return SkipReason::future;
    case visibility::Hold::expired: return SkipReason::expired;
    case visibility::Hold::guarded: return SkipReason::guarded;
    case visibility::Hold::unreadable: return SkipReason::unreadable;
    case visibility::Hold::no_text: return SkipReason::no_text;
  }
  return SkipReason::unreadable;
}

}  // namespace sheaf::publish
