#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/store/section_writer.h"
#include <sheaf/time.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
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

/// Texts in a temporary file, which can be read back from any offset. The newest texts stay in memory, so
/// that small collections need no file.
class TextSpool {
 public:
  explicit TextSpool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Appends both texts, one after the other, and returns the offset of the first.
  base::Result<std::uint64_t> append(std::string_view a, std::string_view b);

  /// The result is valid until the next call.
  base::Result<std::string_view> read(std::uint64_t at, std::size_t size);

 private:
  base::Result<void> flush();

  std::filesystem::path folder_;
  std::optional<base::SpoolFile> file_;
  std::uint64_t written_ = 0;
  std::string tail_;
  std::string text_;
};

/// Collects pages of a collection until one lookup tells which of them the section already has. If the store
/// is on another machine, a lookup of many pages costs no more than a lookup of one. Reuses its memory.
class PendingPages {
 public:
  struct Item {
    CollectionOffer offer;
    std::string url;
    std::string modified;
    std::string json;
  };

  void add(const CollectionOffer& offer, std::string_view url, std::string_view modified,
           std::string_view json) {
    if (count_ == items_.size()) items_.emplace_back();
    Item& item = items_[count_++];
    item.offer = offer;
    item.url = url;
    item.modified = modified;
    item.json = json;
    keys_.push_back(offer.url);
    bytes_ += json.size();
  }

  [[nodiscard]] bool is_full() const { return count_ >= kMaxPages || bytes_ >= kMaxBytes; }
  [[nodiscard]] std::span<Item> items() { return std::span(items_).first(count_); }
  [[nodiscard]] const std::vector<UrlKey>& keys() const { return keys_; }

  void clear() {
    if (bytes_ > 2 * kMaxBytes) items_.clear();  // one page was huge
    count_ = 0;
    bytes_ = 0;
    keys_.clear();
  }

 private:
  static constexpr std::size_t kMaxPages = 256;
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;

  std::vector<Item> items_;
  std::vector<UrlKey> keys_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace sheaf::store
