#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/site_notes.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Pure functions that decide when a site is pulled again.
namespace sheaf::pull {

using store::SiteSchedule;

/// The pull interval: stated by each site, or fixed.
struct Every {
  std::optional<std::int64_t> seconds = {};  ///< empty: as the site states
};

/// "auto", or a number with s, m, h or d behind it: "30m".
base::Result<Every> parse_every(std::string_view text);

/// Sites that state an update interval are pulled a little after each update; sites fetched page by page once
/// a day, and so are those that ask for money; failed ones after five minutes, doubled each time up to a day,
/// and never before their Retry-After. An incomplete site continues at once, behind those that wait.
/// `random`, 0 to 1, spreads sites that began together.
///
/// A long failure message is truncated.
SiteSchedule reschedule(const SiteSchedule& before, const PullReport& report, const Every& every, Instant now,
                        double random);

/// When a site is due whose schedule was made with another `every`: a new interval applies at once.
Instant due_under(const SiteSchedule& schedule, const Every& every);

}  // namespace sheaf::pull
