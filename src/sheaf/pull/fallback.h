#pragma once

#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/pull/failure.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>

// Pure functions that decide what replaces a section whose own collections cannot be used: first other
// sections that cover it, then its pages one by one.
namespace sheaf::pull {

// A section that worked before gets time to recover: a file may be broken for an hour while it is replaced.
// While the store has pages of the section, they are fetched one by one only from the third failed pull in a
// row on, or once the section has failed for three days.
inline constexpr std::uint32_t kPatientPulls = 3;
inline constexpr std::int64_t kPatientSeconds = std::int64_t{3} * 86'400;

struct FailingSection {
  FailureCode code = FailureCode::none;
  std::uint64_t pages = 0;     ///< in the store
  std::uint32_t failures = 0;  ///< in a row, this one counted
  std::optional<Instant> since = {};
};

/// Whether other sections or single pages may supply something newer. False if the pages are in the store and
/// only in doubt (wrong size, different digest), or if the user has to decide first.
bool can_fall_back(FailureCode code);

/// Whether pages of the section are fetched one by one now.
bool is_crawl_due(const FailingSection& section, Instant now);

/// Facts about the section `all` and the others that may replace it.
struct Coverage {
  std::optional<std::uint64_t> stated;  ///< pages of `all`, as the site says
  std::uint64_t stored = 0;             ///< pages of `all` in the store
  std::uint64_t others = 0;  ///< URLs of the other sections in the store, all intact, each counted once
  std::uint64_t lost = 0;    ///< pages of `all` in the store that none of the others has
};

/// Whether the others replace `all`: they have as many URLs as the site states or, if it states no number,
/// every URL that the store knows. The new content of `all` is unknown, so with fewer URLs pages could be
/// lost. A loss that the shrink guard would hold back in one section is not accepted here either.
bool covers_whole_site(const Coverage& coverage, format::Shrink shrink);

}  // namespace sheaf::pull
