#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

namespace sheaf::pull {

/// Sites by the time when they are due; those that are due at the same time in the order of insertion. A site
/// is its number in the roster, and is queued at most once.
///
/// A fleet may have millions of sites, so this takes 32 bytes for each: turns lie in arrays, and one that was
/// removed is only dropped when it is met.
class FleetQueue {
 public:
  void insert(std::size_t site, std::int64_t due);
  void remove(std::size_t site);
  [[nodiscard]] bool empty() const { return queued_ == 0; }
  /// When the next site is due; 0 if there is none.
  [[nodiscard]] std::int64_t next_due();
  /// How many are due at that time.
  [[nodiscard]] std::size_t count_due(std::int64_t now);
  /// The first site that is due and accepted.
  [[nodiscard]] std::optional<std::size_t> first_due(std::int64_t now,
                                                     const std::function<bool(std::size_t)>& accepts);
  /// Turns in memory, with those that were removed.
  [[nodiscard]] std::size_t turns() const { return due_.size() + later_.size(); }

 private:
  struct Turn {
    std::int64_t due = 0;
    std::uint64_t order = 0;  ///< of insertion, from 1
    std::uint32_t site = 0;

    friend auto operator<=>(const Turn&, const Turn&) = default;
  };

  [[nodiscard]] bool is_removed(const Turn& turn) const { return order_of_site_[turn.site] != turn.order; }
  /// Moves what is due by now from later_ to due_.
  void advance(std::int64_t now);
  void drop_removed_tops();
  void drop_removed_if_many();

  std::deque<Turn> due_;                     ///< sorted
  std::deque<Turn> later_;                   ///< a heap, the earliest on top
  std::deque<std::uint64_t> order_of_site_;  ///< of its turn; 0: not queued
  std::size_t queued_ = 0;
  std::uint64_t inserted_ = 0;
};

}  // namespace sheaf::pull
