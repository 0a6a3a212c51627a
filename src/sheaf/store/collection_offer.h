#pragma once

#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/store/section_record.h"
#include <sheaf/time.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <vector>

namespace sheaf::store {

/// A page of a collection, or a URL of its `removed`, while the collection is being applied. The URL and
/// `modified` are in a TextSpool, so that records stay small enough to be sorted on disk.
struct CollectionOffer {
  UrlKey url{};
  std::int64_t seconds = 0;  ///< `modified`
  std::uint32_t nanoseconds = 0;
  std::uint32_t text_bytes = 0;  ///< length of URL and `modified`, which follow one another in the spool
  std::uint32_t url_bytes = 0;   ///< length of the URL
  std::uint16_t has_data = 0;    ///< 1 if its data was written
  std::uint16_t is_bounded = 0;  ///< 1 if its `modified` is in the future, so that `seconds` has another time
  std::uint64_t number = 0;      ///< position of the page in the collection, from 1; 0 for a removal;
                                 ///< kUnreadable for a page that breaks a rule
  std::uint64_t data_run = 0;    ///< place of its data
  std::uint64_t data_number = 0;
  /// Offset in the spool.
  std::uint64_t text_at = 0;
  std::uint64_t json_bytes = 0;

  [[nodiscard]] Instant modified() const { return {seconds, nanoseconds}; }
  [[nodiscard]] Place place() const { return {data_run, data_number}; }
  [[nodiscard]] bool is_removal() const { return number == 0; }
  static constexpr std::uint64_t kUnreadable = UINT64_MAX;
  [[nodiscard]] bool is_unreadable() const { return number == kUnreadable; }
  friend bool operator<(const CollectionOffer& a, const CollectionOffer& b) {
    // The first eight bytes of a hash nearly always decide, and comparing numbers is much faster than
    // comparing bytes.
    const std::uint64_t front_a = url_front(a.url);
    const std::uint64_t front_b = url_front(b.url);
    return front_a != front_b ? front_a < front_b : std::tie(a.url, a.number) < std::tie(b.url, b.number);
  }

 private:
  /// The first eight bytes as a number that sorts like the bytes.
  static std::uint64_t url_front(const UrlKey& url) {
    std::uint64_t front = 0;
    std::memcpy(&front, url.data(), sizeof front);
    return std::endian::native == std::endian::little ? std::byteswap(front) : front;
  }
};

/// All entries of a collection for one URL.
struct OfferGroup {
  UrlKey url{};
  format::UrlOffer<CollectionOffer> offer;
  std::vector<CollectionOffer> losers;  ///< duplicates whose data was written and is not needed
};

}  // namespace sheaf::store
