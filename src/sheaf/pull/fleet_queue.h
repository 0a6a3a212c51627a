#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

namespace sheaf::pull {

/// Sites ordered by the time when they are due; sites that are due at the same time are in the order of
/// insertion. A site is represented by its number in the roster, and is queued at most once.
///
/// A fleet may have millions of sites, so a site takes only 32 bytes: turns are in arrays, and a removed turn
/// stays there until it comes up or too many are removed.
class FleetQueue {
 public:
  /// Queues a site. If it is already queued, this replaces its turn.
  void insert(std::size_t site, std::int64_t due);
  void remove(std::size_t site);
  [[nodiscard]] bool empty() const { return queued_ == 0; }
  /// When the next site is due; 0 if there is none.
  [[nodiscard]] std::int64_t next_due();
  /// The number of sites that are due at `now`.
  [[nodiscard]] std::size_t count_due(std::int64_t now);
  /// The first site that is due at `now` and that `accepts` accepts.
  [[nodiscard]] std::optional<std::size_t> first_due(std::int64_t now,
                                                     const std::function<bool(std::size_t)>& accepts);
  /// The number of turns in memory, including removed ones.
  [[nodiscard]] std::size_t turns() const { return due_.size() + later_.size(); }

 private:
  struct Turn {
    std::int64_t due = 0;
    std::uint64_t order = 0;  ///< sequence number of the insertion, from 1
    std::uint32_t site = 0;

    friend auto operator<=>(const Turn&, const Turn&) = default;
  };

  [[nodiscard]] bool is_removed(const Turn& turn) const { return order_of_site_[turn.site] != turn.order; }
  /// Moves the turns that are due at `now` from later_ to due_.
  void advance(std::int64_t now);
  void drop_removed_tops();
  void drop_removed_if_many();

  std::deque<Turn> due_;                     ///< sorted
  std::deque<Turn> later_;                   ///< a heap with the earliest turn on top
  std::deque<std::uint64_t> order_of_site_;  ///< `order` of the site's turn, by site; 0: not queued
  std::size_t queued_ = 0;
  std::uint64_t inserted_ = 0;
};

}  // namespace sheaf::pull
