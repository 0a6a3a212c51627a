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

/// A site of a fleet. A list may have millions of sites, so this has only what decides when the site is
/// pulled.
struct FleetMember {
  std::string_view origin;     ///< text in the roster
  std::int64_t due = 0;        ///< in Unix time
  std::uint32_t failures = 0;  ///< in a row
  SiteTempo tempo = {};
  bool listed = false;      ///< currently on the list; only the roster changes this
  bool failed = false;      ///< its last pull failed; only the roster changes this
  bool attempted = false;   ///< at least one pull was completed in this run
  bool unfinished = false;  ///< its pull was interrupted
  bool queued = false;
  bool running = false;
};

/// The sites of a fleet that are in memory, by number. Members never move; the texts of their origins move
/// when others are removed. A member takes 55 bytes plus its origin.
class FleetRoster {
 public:
  /// The number of a site, which becomes a member if it is not one yet. `is_new`, if not null, is set to
  /// whether it was added.
  std::size_t find_or_add(const base::Url& site, bool* is_new = nullptr);
  /// Removes a member that is neither queued nor running. Its number is reused.
  void forget(std::size_t number);
  [[nodiscard]] std::size_t number_of(const FleetMember& member) const;
  /// The URL by which the list names the site.
  [[nodiscard]] base::Url url_of(const FleetMember& member) const;

  [[nodiscard]] FleetMember& operator[](std::size_t number) { return members_[number]; }
  [[nodiscard]] const FleetMember& operator[](std::size_t number) const { return members_[number]; }
  /// One more than the largest number. Removed members have an empty origin.
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] std::size_t count() const { return members_.size() - free_.size(); }

  /// Records that the site is on the list, with this URL.
  void list(FleetMember& member, const base::Url& site);
  void unlist(FleetMember& member);
  void set_failed(FleetMember& member, bool failed);

  [[nodiscard]] std::size_t listed() const { return listed_; }
  /// Sites on the list whose last pull failed.
  [[nodiscard]] std::size_t failing() const { return failing_; }

  /// Counts the results of the sites on the list, after the workers have ended. A due member that is still
  /// queued counts as unfinished.
  [[nodiscard]] FleetSummary summarize(Instant now) const;

 private:
  /// The slot of the member with this origin, or else the free slot where it belongs.
  [[nodiscard]] std::size_t slot_of(std::string_view origin) const;
  void make_room();
  void clear_slot(std::size_t slot);
  void set_address(const FleetMember& member, const base::Url& site);
  std::string_view keep(std::string_view origin);
  void drop_removed_origins();

  std::deque<FleetMember> members_;
  std::deque<std::string>
      origins_;  ///< blocks of concatenated origins; a block never grows beyond its capacity
  std::vector<std::uint32_t> slots_;  ///< a hash table by origin: number + 1, or 0 if the slot is free
  std::unordered_map<std::uint32_t, std::string>
      addresses_;                    ///< by number: URLs other than the origin and "/"
  std::vector<std::uint32_t> free_;  ///< numbers of removed members
  std::size_t origin_bytes_ = 0;     ///< total size of the members' origins
  std::size_t removed_bytes_ = 0;    ///< total size of the removed members' origins
  std::size_t listed_ = 0;
  std::size_t failing_ = 0;
};

}  // namespace sheaf::pull
