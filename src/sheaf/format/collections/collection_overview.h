#pragma once

#include <sheaf/page.h>
#include <sheaf/time.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Statistics of the pages of a collection, in little memory.
namespace sheaf::format {

/// A histogram with eight buckets per power of two, so percentiles have an error of at most an eighth.
class SizeStatistics {
 public:
  void add(std::uint64_t size) {
    ++count_;
    total_ += size;
    smallest_ = std::min(smallest_, size);
    largest_ = std::max(largest_, size);
    ++buckets_[bucket_of(size)];
  }
  [[nodiscard]] std::uint64_t smallest() const { return count_ == 0 ? 0 : smallest_; }
  [[nodiscard]] std::uint64_t largest() const { return largest_; }
  [[nodiscard]] std::uint64_t mean() const { return count_ == 0 ? 0 : total_ / count_; }
  /// The size that `share` of all pages do not exceed.
  [[nodiscard]] std::uint64_t below(double share) const {
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      seen += buckets_[bucket];
      if (seen >= wanted) return std::min(largest_, upper_end(bucket));
    }
    return largest_;
  }

 private:
  static std::size_t bucket_of(std::uint64_t size) {
    if (size < 8) return size;
    const auto power = static_cast<std::size_t>(std::bit_width(size)) - 1;
    return (power - 2) * 8 + ((size >> (power - 3)) & 7);
  }
  static std::uint64_t upper_end(std::size_t bucket) {
    if (bucket < 8) return bucket;
    return ((std::uint64_t{bucket % 8} + 9) << (bucket / 8 - 1)) - 1;
  }

  std::uint64_t count_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t smallest_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t largest_ = 0;
  std::array<std::uint64_t, std::size_t{8} * 62> buckets_{};
};

/// Counts by name. The names come from outside, so after 200 different names all others count as "other".
class NameCounts {
 public:
  void add(std::string_view name) {
    constexpr std::size_t kMax = 200;
    const auto found = counts_.find(name);
    if (found != counts_.end()) {
      ++found->second;
    } else {
      ++counts_[std::string(counts_.size() < kMax ? name.substr(0, 60) : "other")];
    }
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> most_first() const {
    std::vector<std::pair<std::string, std::uint64_t>> sorted(counts_.begin(), counts_.end());
    std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<std::string, std::uint64_t>::second);
    return sorted;
  }

 private:
  std::map<std::string, std::uint64_t, std::less<>> counts_;
};

/// Statistics of the pages of one collection.
struct CollectionOverview {
  SizeStatistics sizes;
  NameCounts blocks;
  NameCounts languages;
  std::optional<Instant> oldest;
  std::optional<Instant> newest;
  std::uint64_t findings = 0;

  void add(const Page& page, std::uint64_t bytes) {
    sizes.add(bytes);
    languages.add(page.language);
    for (const auto& block : page.content) blocks.add(sheaf::type_name(block));
    oldest = oldest ? std::min(*oldest, page.modified_at) : page.modified_at;
    newest = newest ? std::max(*newest, page.modified_at) : page.modified_at;
  }
};

}  // namespace sheaf::format
