#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Notes of a site that pull writes and other commands read: when the site is due, and what its pulls did.
namespace sheaf::store {

class PageStore;

/// Schedule of a site between two pulls.
struct SiteSchedule {
  Instant next;
  std::uint32_t failures = 0;  ///< consecutive failures
  Instant last = {};           ///< when its last pull ended
  std::string trouble = {};    ///< error message of that pull, if it failed
  /// Why that pull failed, as the text of a FailureCode. A text and not a FailureCode, so that codes which a
  /// newer version added can still be shown.
  std::string failure_code = {};

  friend bool operator==(const SiteSchedule&, const SiteSchedule&) = default;
};

inline constexpr std::string_view kScheduleNote = "schedule";

std::string encode(const SiteSchedule& schedule);
std::optional<SiteSchedule> decode_schedule(std::string_view bytes);
/// The stored schedule of a site; nullopt before its first pull.
base::Result<std::optional<SiteSchedule>> read_schedule(const PageStore& store, std::string_view site);

/// All pulls that began on one day (UTC).
struct PullDay {
  std::int64_t day = 0;  ///< days since 1970-01-01
  std::uint64_t pulls = 0;
  std::uint64_t failed = 0;
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  std::uint64_t crawl_bytes = 0;  ///< estimated cost of fetching each page instead
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t removed = 0;
  std::uint64_t pages = 0;  ///< pages of the site after the last pull of the day

  friend bool operator==(const PullDay&, const PullDay&) = default;
};

/// What pulls of a site did, day by day, for charts.
struct PullHistory {
  std::vector<PullDay> days = {};  ///< oldest first; days without a pull are not in it
  Instant last = {};               ///< when the last pull began
  bool ok = true;                  ///< how it ended
  std::string failure_code = {};
  std::string failure = {};

  friend bool operator==(const PullHistory&, const PullHistory&) = default;
};

inline constexpr std::size_t kMaxPullDays = 90;
inline constexpr std::string_view kHistoryNote = "history";

std::string encode(const PullHistory& history);
/// Returns nullopt if `bytes` are not a history or were written by a newer version.
std::optional<PullHistory> decode_history(std::string_view bytes);
/// The stored history of a site; nullopt before its first pull.
base::Result<std::optional<PullHistory>> read_history(const PageStore& store, std::string_view site);

/// Identity of a host: its name without a leading `www.`, and the port unless it is the scheme's default. So
/// http and https on their default ports are the same host; another port is another host.
std::string host_identity(const base::Url& url);

/// Whether a site's collections may contain pages of another host. The argument is a URL on that host.
using HostFilter = std::function<bool(const base::Url& page)>;

/// The hosts whose pages a site may supply: its own and those that `vouch` accepts. A collection is written
/// by the site, so it proves nothing about other hosts.
class SiteHosts {
 public:
  /// `site` is its origin. Without `vouch` no other host belongs to it.
  explicit SiteHosts(std::string_view site, HostFilter vouch = {});

  /// Whether the page belongs to the site. Calls `vouch` once for each of the first kRemembered other hosts,
  /// and for every page of hosts after these. Returns false if `page_url` is not a valid URL.
  [[nodiscard]] bool contain(std::string_view page_url);

  static constexpr std::size_t kRemembered = 1000;

 private:
  bool judge(const base::Url& page);

  std::string own_;     ///< identity of the site
  std::string prefix_;  ///< "https://example.com/", the prefix of most pages
  HostFilter vouch_;
  std::unordered_map<std::string, bool> others_;
};

}  // namespace sheaf::store
