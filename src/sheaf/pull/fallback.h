#pragma once

#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/pull/failure.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>

// Pure functions that decide what replaces a section whose own collections cannot be used: first other
// sections that have its pages, then its pages fetched one by one.
namespace sheaf::pull {

// A section that worked before gets time to recover: a file may be broken for an hour while it is replaced.
// As long as the store has pages of the section, they are fetched one by one only after three failed pulls in
// a row, or after failing for three days.
inline constexpr std::uint32_t kGracePulls = 3;
inline constexpr std::int64_t kGraceSeconds = std::int64_t{3} * 86'400;
/// Pulls in a row that must find that a section is withdrawn.
inline constexpr std::uint32_t kWithdrawnPulls = 2;

struct FailingSection {
  FailureCode code = FailureCode::none;
  std::uint64_t pages = 0;     ///< in the store
  std::uint32_t failures = 0;  ///< in a row, including this one
  std::optional<Instant> since = {};
};

/// Whether other sections or single pages may supply something newer. False if the pages are in the store and
/// only in doubt (wrong size, different digest), or if the user has to decide.
bool can_fall_back(FailureCode code);

/// Whether the pages of the section are to be fetched one by one in this pull.
bool is_crawl_due(const FailingSection& section, Instant now);

/// What the site's sitemaps say when they no longer offer a section.
enum class OffersRead : std::uint8_t {
  whole,    ///< every sitemap that is named was read
  missing,  ///< one of them does not exist, or there is none
  unread,   ///< one of them could not be read, so the section may still be offered
};

/// A section in the store that no sitemap offers any more.
struct WithdrawnSection {
  OffersRead offers = OffersRead::whole;
  bool is_covered = false;            ///< other sections of the store have its pages
  std::uint32_t pulls = 0;            ///< in a row that found it withdrawn, including this one
  std::optional<Instant> since = {};  ///< the first of them
};

/// Whether the site has withdrawn the section, and not just failed to offer it for a while. A site that
/// renames a section offers the new one first, so a covered section is retired at once.
bool is_retired(const WithdrawnSection& section, Instant now);

/// Facts about the section `all` and the sections that may replace it.
struct Coverage {
  std::optional<std::uint64_t> stated;  ///< number of pages of `all` that the site states
  std::uint64_t stored = 0;             ///< pages of `all` in the store
  std::uint64_t others = 0;  ///< distinct URLs of the other sections in the store; all of them must be intact
  std::uint64_t lost = 0;    ///< pages of `all` in the store that no other section has
  bool is_as_new = true;     ///< none of the other sections is older than `all`
};

/// Whether the other sections replace `all`: they must have as many URLs as the site states or, if it states
/// no number, every URL that the store has. The new content of `all` is unknown, so with fewer URLs pages
/// could be lost. A loss that the shrink guard would hold back in one section is not accepted here either.
bool covers_whole_site(const Coverage& coverage, format::Shrink shrink);

}  // namespace sheaf::pull
