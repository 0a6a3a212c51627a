#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/pull.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// When a site is pulled again: pure functions.
namespace sheaf::pull {

/// What is remembered between two pulls of a site.
struct SiteSchedule {
  Instant next;
  std::uint32_t failures = 0;  ///< in a row
  Instant last = {};           ///< when its last pull ended
  std::string trouble = {};    ///< of that pull, if it failed
  /// Why that pull failed, as FailureCode is written; empty in what older versions wrote. Kept as text: a
  /// code that a newer version added is still shown.
  std::string failure_code = {};

  friend bool operator==(const SiteSchedule&, const SiteSchedule&) = default;
};

std::string encode(const SiteSchedule& schedule);
std::optional<SiteSchedule> decode_schedule(std::string_view bytes);

/// How often: as each site says, or always after the same time.
struct Every {
  std::optional<std::int64_t> seconds = {};  ///< nothing: as the site says
};

/// The seconds of a number with s, m, h or d behind it: "30m".
base::Result<std::int64_t> parse_duration(std::string_view text);

/// "auto", or a number with s, m, h or d behind it: "30m".
base::Result<Every> parse_every(std::string_view text);

/// Sites that say how often they change are asked a little after each change; those fetched page by page once
/// a day; those that failed after five minutes, then twice as long each time up to a day, and never before
/// they want to be asked. One that is not complete goes on at once, behind those that wait. `random`, 0 to 1,
/// spreads sites that began together.
///
/// The trouble is cut where it is longer than a sentence.
SiteSchedule reschedule(const SiteSchedule& before, const PullReport& report, const Every& every, Instant now,
                        double random);

/// When a site is due whose schedule was made under another `every`: whoever says how often means it from now
/// on.
Instant due_under(const SiteSchedule& schedule, const Every& every);

/// What the store remembers of a site's pulls; nothing if there were none.
base::Result<std::optional<SiteSchedule>> read_schedule(const store::PageStore& store, const base::Url& site);
inline constexpr std::string_view kScheduleNote = "schedule";

}  // namespace sheaf::pull
