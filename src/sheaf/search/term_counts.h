#pragma once

#include <sheaf/arena.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::search {

struct TermCount {
  std::string_view term;
  std::uint32_t count = 0;
  std::size_t hash = 0;
};

/// Terms of a page and their weights. A hash table that reuses its memory for the next page: a page has
/// hundreds of terms, and an allocation for each costs more than counting it.
class TermCounts {
 public:
  void add(std::string_view term, std::uint32_t weight) {
    const std::size_t hash = std::hash<std::string_view>()(term);
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    std::uint32_t& slot = slots_[place_of(term, hash)];
    if (slot == kFree) {
      slot = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back({texts_.copy(term), 0, hash});
    }
    entries_[slot].count += weight;
  }

  [[nodiscard]] bool contains(std::string_view term) const {
    return !slots_.empty() && slots_[place_of(term, std::hash<std::string_view>()(term))] != kFree;
  }

  /// In the order in which terms were first added. Valid until the next change.
  [[nodiscard]] std::span<const TermCount> entries() const { return entries_; }

  void clear() {
    // Clearing the table of a large page would slow down every small page after it.
    const bool is_large = slots_.size() > kMinSlots && slots_.size() > 16 * entries_.size();
    slots_.assign(is_large ? kMinSlots : slots_.size(), kFree);
    entries_.clear();
    texts_.clear();
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  static constexpr std::size_t kMinSlots = 1024;

  /// The slot of the term, or the slot where it would be put.
  [[nodiscard]] std::size_t place_of(std::string_view term, std::size_t hash) const {
    std::size_t place = hash & (slots_.size() - 1);
    while (slots_[place] != kFree && entries_[slots_[place]].term != term)
      place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  void grow() {
    slots_.assign(slots_.empty() ? kMinSlots : 2 * slots_.size(), kFree);
    for (std::uint32_t i = 0; i < entries_.size(); ++i)
      slots_[place_of(entries_[i].term, entries_[i].hash)] = i;
  }

  Arena texts_;
  std::vector<TermCount> entries_;
  /// Indexes into `entries_`. The size is a power of two, and at most half of the slots are used.
  std::vector<std::uint32_t> slots_;
};

}  // namespace sheaf::search
