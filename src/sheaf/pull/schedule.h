#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/pull.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Pure functions that decide when a site is pulled again.
namespace sheaf::pull {

/// Schedule of a site between two pulls.
struct SiteSchedule {
  Instant next;
  std::uint32_t failures = 0;  ///< in a row
  Instant last = {};           ///< when its last pull ended
  std::string trouble = {};    ///< message of that pull, if it failed
  /// Why that pull failed, as FailureCode is written; empty in what older versions wrote. Kept as text: a
  /// code that a newer version added is still shown.
  std::string failure_code = {};

  friend bool operator==(const SiteSchedule&, const SiteSchedule&) = default;
};

std::string encode(const SiteSchedule& schedule);
std::optional<SiteSchedule> decode_schedule(std::string_view bytes);

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

/// The stored schedule of a site; nothing before its first pull.
base::Result<std::optional<SiteSchedule>> read_schedule(const store::PageStore& store, const base::Url& site);
inline constexpr std::string_view kScheduleNote = "schedule";

}  // namespace sheaf::pull
