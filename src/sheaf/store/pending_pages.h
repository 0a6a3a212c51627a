#pragma once

#include "sheaf/store/collection_offer.h"
#include "sheaf/store/section_record.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store {

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
