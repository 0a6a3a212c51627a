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
#include <vector>

namespace sheaf::pull {

/// A site of a fleet. A list may have millions, so it holds only what decides when the site is pulled.
struct FleetMember {
  std::string_view origin;     ///< points into the roster
  std::int64_t due = 0;        ///< in Unix time
  std::uint32_t failures = 0;  ///< in a row
  SiteTempo tempo = {};
  bool listed = false;      ///< on the list now; changed by the roster only
  bool failed = false;      ///< its last pull failed; changed by the roster only
  bool attempted = false;   ///< a pull of it was completed in this run
  bool unfinished = false;  ///< its pull was interrupted
  bool queued = false;
  bool running = false;
};

/// All sites that were ever on the list of a fleet, by number. Members never move; their origins do when
/// others are removed. A member takes 55 bytes, and its origin.
class FleetRoster {
 public:
  /// The number of a site, which becomes a member if it is not one yet. `is_new`, if given, says whether.
  std::size_t find_or_add(const base::Url& site, bool* is_new = nullptr);
  /// Removes a member that is neither queued nor running. Its number is given to another one.
  void forget(std::size_t number);
  [[nodiscard]] std::size_t number_of(const FleetMember& member) const;
  /// As the list names it.
  [[nodiscard]] base::Url url_of(const FleetMember& member) const;

  [[nodiscard]] FleetMember& operator[](std::size_t number) { return members_[number]; }
  [[nodiscard]] const FleetMember& operator[](std::size_t number) const { return members_[number]; }
  /// One more than the largest number. Members that were removed have no origin.
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] std::size_t count() const { return members_.size() - free_.size(); }

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
  /// The slot of the member with this origin, or the free one where it belongs.
  [[nodiscard]] std::size_t slot_of(std::string_view origin) const;
  void make_room();
  void clear_slot(std::size_t slot);
  void set_address(const FleetMember& member, const base::Url& site);
  std::string_view keep(std::string_view origin);
  void drop_removed_origins();

  std::deque<FleetMember> members_;
  std::deque<std::string>
      origins_;  ///< of the members, one after the other; a text never grows beyond its capacity
  std::vector<std::uint32_t> slots_;  ///< a hash table by origin: number + 1; 0 is free
  std::unordered_map<std::uint32_t, std::string>
      addresses_;                    ///< by number, of members that have another than origin and "/"
  std::vector<std::uint32_t> free_;  ///< numbers of members that were removed
  std::size_t origin_bytes_ = 0;     ///< of the members
  std::size_t removed_bytes_ = 0;    ///< of origins that are not needed any more
  std::size_t listed_ = 0;
  std::size_t failing_ = 0;
};

}  // namespace sheaf::pull
