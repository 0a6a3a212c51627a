#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/pull.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What pulls of a site did, day by day, for charts. Kept as a note of the site.
namespace sheaf::pull {

/// All pulls that began on one day (UTC).
struct PullDay {
  std::int64_t day = 0;  ///< since 1970-01-01
  std::uint64_t pulls = 0;
  std::uint64_t failed = 0;
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  std::uint64_t crawl_bytes = 0;  ///< estimated cost of fetching each page instead
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t removed = 0;
  std::uint64_t pages = 0;  ///< of the site after the last of them

  friend bool operator==(const PullDay&, const PullDay&) = default;
};

struct PullHistory {
  std::vector<PullDay> days = {};  ///< oldest first; days without a pull are not in it
  Instant last = {};               ///< when the last pull began
  bool ok = true;                  ///< how it ended
  std::string failure_code = {};
  std::string failure = {};

  friend bool operator==(const PullHistory&, const PullHistory&) = default;
};

inline constexpr std::size_t kMostPullDays = 90;
inline constexpr std::string_view kHistoryNote = "history";

std::string encode(const PullHistory& history);
/// Nothing for bytes that are not a history, or are one of a newer version.
std::optional<PullHistory> decode_history(std::string_view bytes);

/// Adds a pull. `pages` is how many pages the site has now. The oldest days are dropped.
void add_pull(PullHistory& history, const PullReport& report, std::uint64_t pages);

/// The stored history of a site; nothing before its first pull.
base::Result<std::optional<PullHistory>> read_history(const store::PageStore& store, std::string_view site);
/// Adds a pull to the stored history.
base::Result<void> record_pull(store::PageStore& store, const PullReport& report);

}  // namespace sheaf::pull
