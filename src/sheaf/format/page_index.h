#pragma once

#include "sheaf/base/time.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <tuple>

namespace sheaf::format {

/// What is noted of a page to decide about it without holding it. Ordered by URL, then by where it came from.
struct PageRecord {
  std::array<std::uint8_t, 16> url{};  ///< the first half of the URL's SHA-256: nobody can make two collide
  std::int64_t seconds = 0;            ///< `modified`
  std::uint32_t nanoseconds = 0;
  std::uint32_t input = 0;        ///< number of the collection, in the order of application
  std::uint64_t sequence = 0;     ///< of the page in its collection, from 1; 0 for an entry of `removed`
  std::uint64_t fingerprint = 0;  ///< of the page's content, where it matters

  [[nodiscard]] base::Instant modified() const { return {seconds, nanoseconds}; }
  [[nodiscard]] bool is_removal() const { return sequence == 0; }
  friend bool operator<(const PageRecord& a, const PageRecord& b) {
    return std::tie(a.url, a.input, a.sequence) < std::tie(b.url, b.input, b.sequence);
  }
};

/// Within one collection the newest `modified` wins, the later line on a tie.
inline bool wins_within_collection(const PageRecord& candidate, const PageRecord& holder) {
  return candidate.modified() >= holder.modified();
}

/// Between collections only a later `modified` replaces what is there.
inline bool wins_between_collections(const PageRecord& candidate, const PageRecord& holder) {
  return candidate.modified() > holder.modified();
}

/// Follows one URL through collections applied one after the other. Records come in their order; `result`
/// tells which page is there at the end, if any.
class UrlHistory {
 public:
  void add(const PageRecord& record) {
    if (best_ && best_->input != record.input) apply();
    if (record.is_removal()) {
      holder_.reset();
      return;
    }
    if (!best_ || wins_within_collection(record, *best_)) best_ = record;
  }

  /// The page that is there in the end, and whether the first collection had one.
  std::optional<PageRecord> result() {
    apply();
    return holder_;
  }
  [[nodiscard]] bool was_in_first() const { return was_in_first_; }

  /// Starts over with another URL.
  void clear() {
    holder_.reset();
    best_.reset();
    was_in_first_ = false;
  }

 private:
  void apply() {
    if (!best_) return;
    was_in_first_ |= best_->input == 0;
    if (!holder_ || wins_between_collections(*best_, *holder_)) holder_ = best_;
    best_.reset();
  }

  std::optional<PageRecord> holder_;  ///< after the collections applied so far
  std::optional<PageRecord> best_;    ///< of the collection under way
  bool was_in_first_ = false;
};

enum class Change : std::uint8_t { added, changed, unchanged, removed, stale };

/// What became of one URL between two snapshots.
inline Change classify(const std::optional<PageRecord>& older, const std::optional<PageRecord>& newer) {
  if (!older) return Change::added;
  if (!newer) return Change::removed;
  if (newer->modified() > older->modified()) return Change::changed;
  const bool same = newer->modified() == older->modified() && newer->fingerprint == older->fingerprint;
  return same ? Change::unchanged : Change::stale;
}

}  // namespace sheaf::format
