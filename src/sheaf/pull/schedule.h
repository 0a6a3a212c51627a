#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/site_notes.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Pure functions that decide when a site is pulled next.
namespace sheaf::pull {

using store::SiteSchedule;

/// The pull interval: fixed, or as stated by each site.
using Every = std::optional<std::chrono::seconds>;  ///< nullopt: as the site states

/// Parses "auto", or a number followed by s, m, h or d: "30m".
base::Result<Every> parse_every(std::string_view text);

/// The next schedule of a site after a pull:
///
/// - Sites that state an update interval are pulled a little after each update.
/// - Sites that are fetched page by page, and sites that demand payment, are pulled once a day.
/// - Failed sites are retried after five minutes, doubled each time up to a day, and never before their
///   Retry-After.
/// - An incomplete crawl continues at once, behind the sites that are waiting.
///
/// `random`, from 0 to 1, spreads sites that started together. A long failure message is truncated.
SiteSchedule reschedule(const SiteSchedule& before, const PullReport& report, const Every& every, Instant now,
                        double random);

/// When a site is due whose schedule may have been made with another `every`: a new interval applies at once.
Instant due_under(const SiteSchedule& schedule, const Every& every);

}  // namespace sheaf::pull
