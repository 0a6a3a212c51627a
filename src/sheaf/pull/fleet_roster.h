#pragma once

#include "sheaf/base/url.h"
#include "sheaf/pull/fleet.h"
#include "sheaf/pull/fleet_lanes.h"
#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sheaf::pull {

/// A site of a fleet. A list may have millions, so it holds only what decides when the site is pulled.
struct FleetMember {
  std::string_view origin;     ///< points into the roster
  std::string address = {};    ///< its URL on the list; empty if that is the origin and "/"
  std::int64_t due = 0;        ///< in Unix time
  std::uint32_t failures = 0;  ///< in a row
  SiteTempo tempo = {};
  bool listed = false;      ///< on the list now; changed by the roster only
  bool failed = false;      ///< its last pull failed; changed by the roster only
  bool attempted = false;   ///< a pull of it was completed in this run
  bool unfinished = false;  ///< its pull was interrupted
  bool queued = false;
  bool running = false;

  [[nodiscard]] base::Url url() const;
};

/// All sites that were ever on the list of a fleet, by number. Members never move.
class FleetRoster {
 public:
  /// The number of a site, which becomes a member if it is not one yet. `is_new`, if given, says whether.
  std::size_t find_or_add(const base::Url& site, bool* is_new = nullptr);
  [[nodiscard]] std::size_t number_of(const FleetMember& member) const;

  [[nodiscard]] FleetMember& operator[](std::size_t number) { return members_[number]; }
  [[nodiscard]] const FleetMember& operator[](std::size_t number) const { return members_[number]; }
  [[nodiscard]] std::size_t size() const { return members_.size(); }

  /// The list names the site by this URL.
  void list(FleetMember& member, const base::Url& site);
  void unlist(FleetMember& member);
  void set_failed(FleetMember& member, bool failed);

  [[nodiscard]] std::size_t listed() const { return listed_; }
  /// Of those on the list.
  [[nodiscard]] std::size_t failing() const { return failing_; }

  /// Counts what happened to the sites of the list, after the workers have ended. A member that is due but
  /// still queued was not reached.
  [[nodiscard]] FleetSummary summarize(Instant now) const;

 private:
  std::deque<FleetMember> members_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  ///< by origin
  std::size_t listed_ = 0;
  std::size_t failing_ = 0;
};

}  // namespace sheaf::pull
