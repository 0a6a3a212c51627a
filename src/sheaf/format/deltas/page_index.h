#pragma once

#include "sheaf/format/deltas/delta_rules.h"
#include <sheaf/time.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

namespace sheaf::format {

/// A page in the index of diff and merge: enough to decide about the page without keeping it in memory.
/// Sorted by URL, then by input and position.
struct PageRecord {
  using UrlKey = std::array<std::uint8_t, 16>;

  UrlKey url{};  ///< the first half of the URL's SHA-256, so that collisions cannot be constructed
  std::int64_t seconds = 0;  ///< `modified`, bounded by `generated` of its collection
  std::uint32_t nanoseconds = 0;
  std::uint32_t input = 0;        ///< number of the collection, in the order of application
  std::uint64_t sequence = 0;     ///< of the page in its collection, from 1; 0 for an entry of `removed`
  std::uint64_t fingerprint = 0;  ///< of the page's content; only diff computes it

  [[nodiscard]] Instant modified() const { return {seconds, nanoseconds}; }
  [[nodiscard]] bool is_removal() const { return sequence == 0; }
  [[nodiscard]] static bool is_unreadable() { return false; }
  friend bool operator<(const PageRecord& a, const PageRecord& b) {
    return std::tie(a.url, a.input, a.sequence) < std::tie(b.url, b.input, b.sequence);
  }
};

/// Follows one URL through input 0 and the deltas applied after it. Records must be added in their order.
class UrlHistory {
 public:
  /// Returns whether the record is a duplicate: its collection has another page with this URL.
  bool add(const PageRecord& record) {
    if (input_ != record.input) apply();
    input_ = record.input;
    return offer_.add(record).has_value();
  }

  /// The page after the last collection, if there is one.
  std::optional<PageRecord> result() {
    apply();
    return stored_;
  }
  /// Whether input 0 has the page.
  [[nodiscard]] bool was_in_first() const { return was_in_first_; }

 private:
  void apply() {
    if (offer_.empty()) return;
    was_in_first_ |= input_ == 0 && offer_.page().has_value();
    std::optional<StoredVersion> stored;
    if (stored_) stored = StoredVersion{stored_->modified(), {}};
    switch (url_outcome(ApplyMode::delta, {}, stored, offer_.version())) {
      case UrlOutcome::inserted:
      case UrlOutcome::replaced: stored_ = offer_.page(); break;
      case UrlOutcome::removed: stored_.reset(); break;
      case UrlOutcome::stays:
      case UrlOutcome::absent: break;
    }
    offer_ = {};
  }

  std::optional<PageRecord> stored_;  ///< after the collections applied so far
  std::uint32_t input_ = 0;           ///< the collection that `offer_` is from
  UrlOffer<PageRecord> offer_;
  bool was_in_first_ = false;
};

}  // namespace sheaf::format
