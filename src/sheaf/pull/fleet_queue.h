#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace sheaf::pull {

/// Sites by the time when they are due; those that are due at the same time in the order of insertion. A site
/// is its number in the roster, and is queued at most once.
class FleetQueue {
 public:
  void insert(std::size_t site, std::int64_t due);
  void remove(std::size_t site);
  [[nodiscard]] bool empty() const { return turns_.empty(); }
  /// When the next site is due; 0 if there is none.
  [[nodiscard]] std::int64_t next_due() const { return turns_.empty() ? 0 : turns_.begin()->due; }
  /// How many are due at that time.
  [[nodiscard]] std::size_t count_due(std::int64_t now) const;
  /// The first site that is due and accepted.
  [[nodiscard]] std::optional<std::size_t> first_due(std::int64_t now,
                                                     const std::function<bool(std::size_t)>& accepts) const;

 private:
  struct Turn {
    std::int64_t due = 0;
    std::uint64_t order = 0;  ///< of insertion, from 1; 0: not queued
    std::size_t site = 0;

    friend auto operator<=>(const Turn&, const Turn&) = default;
  };

  std::set<Turn> turns_;
  std::vector<Turn> of_site_;  ///< by number
  std::uint64_t inserted_ = 0;
};

}  // namespace sheaf::pull
