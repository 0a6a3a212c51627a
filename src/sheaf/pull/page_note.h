#pragma once

#include "sheaf/base/time.h"
#include "sheaf/format/page_fingerprint.h"
#include "sheaf/http/validators.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::pull {

/// What became of an address when it was last asked for.
enum class PageFate : std::uint8_t {
  unknown,  ///< not asked for yet
  stored,
  noindex,
  missing,     ///< 404, 410
  no_page,     ///< not HTML, or without content
  elsewhere,   ///< leads to another site, or names a page there as the original
  duplicate,   ///< another address of the site is the page's own
  disallowed,  ///< by robots.txt
  failed,      ///< could not be had
};

/// What is remembered of an address of a site that is fetched page by page.
struct PageNote {
  std::string url;
  PageFate fate = PageFate::unknown;
  std::uint64_t listed = 0;   ///< the number of the pass in which a sitemap or a link named it last
  std::uint64_t visited = 0;  ///< the number of the pass in which it was last dealt with
  std::optional<base::Instant> lastmod;       ///< as the sitemap says now
  std::optional<base::Instant> lastmod_then;  ///< ... and said when it was fetched
  base::Instant fetched;                      ///< or found unchanged
  http::Validators validators;
  format::PageFingerprint fingerprint{};
  std::string modified;  ///< of the page as stored

  friend bool operator==(const PageNote&, const PageNote&) = default;
};

std::string encode(const PageNote& note);
/// Nothing, if the bytes are not those of a note.
std::optional<PageNote> decode_page_note(std::string_view bytes);

/// "page/" and half of the SHA-256 of the address: no order that would tell a server what comes next to what,
/// and no length that an address could have too much of.
std::string note_name(std::string_view url);
inline constexpr std::string_view kPageNotes = "page/";
inline constexpr std::string_view kPassNote = "crawl";       ///< how far the pass over a site is
inline constexpr std::string_view kProfileNote = "profile";  ///< what its pages have in common

enum class Visit : std::uint8_t {
  fetch,        ///< ask for it
  conditional,  ///< ask whether it changed
  leave,        ///< nothing to be asked: the sitemap says that it is as it was
};

/// For how long a sitemap's word that nothing changed is taken. Not for ever: many put the time of their last
/// build everywhere, others never change it.
inline constexpr std::int64_t kTrustLastmodSeconds = std::int64_t{7} * 86'400;

/// A pure function of what is remembered and the time.
Visit choose_visit(const PageNote& note, base::Instant now);

/// The `modified` of a page that is stored: what it says itself if that is later than what was stored before,
/// else now; what has not changed keeps what it had.
base::Instant choose_modified(const std::optional<base::Instant>& stored, bool changed,
                              const std::optional<base::Instant>& stated, base::Instant now);

}  // namespace sheaf::pull
