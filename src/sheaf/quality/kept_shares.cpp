#include "sheaf/quality/kept_shares.h"

#include <algorithm>
#include <numeric>

namespace sheaf::quality {
namespace {

constexpr std::uint64_t kMinShares = 20;
constexpr std::uint64_t kMinShown = 400;  // characters; with less text, the title alone changes the share
// A share is unusual if it differs from the median by more than kDeviations median absolute deviations and by
// more than kMinDistance thousandths. A share below a quarter of the median is always unusual.
constexpr std::uint64_t kDeviations = 5;
constexpr std::uint64_t kMinDistance = 250;
constexpr std::uint64_t kMinOfMedian = 4;

using Counts = std::array<std::uint64_t, KeptShareHistogram::kWhole + 1>;

std::uint64_t median_of(const Counts& counts, std::uint64_t total) {
  std::uint64_t seen = 0;
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    seen += counts[i];
    if (seen * 2 >= total) return i;
  }
  return 0;
}

}  // namespace

std::optional<std::uint64_t> KeptShareHistogram::share(std::uint64_t kept_chars, std::uint64_t shown_chars) {
  if (shown_chars < kMinShown) return std::nullopt;
  // The share is capped because structured data may have more text than the page shows.
  return std::min(kWhole, kept_chars * kWhole / shown_chars);
}

std::optional<UsualShare> KeptShareHistogram::usual() const {
  if (pages_ < kMinShares) return std::nullopt;
  UsualShare usual{.median = median_of(counts_, pages_)};
  Counts distances{};
  for (std::uint64_t i = 0; i < counts_.size(); ++i)
    distances[i > usual.median ? i - usual.median : usual.median - i] += counts_[i];
  const std::uint64_t distance = std::max(kMinDistance, kDeviations * median_of(distances, pages_));
  usual.low = std::max(usual.median - std::min(usual.median, distance), usual.median / kMinOfMedian);
  usual.high = std::min(kWhole, usual.median + distance);
  return usual;
}

std::uint64_t KeptShareHistogram::below(std::uint64_t low) const {
  return std::accumulate(counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(low),
                         std::uint64_t{0});
}

std::uint64_t KeptShareHistogram::above(std::uint64_t high) const {
  return std::accumulate(counts_.begin() + static_cast<std::ptrdiff_t>(high) + 1, counts_.end(),
                         std::uint64_t{0});
}

}  // namespace sheaf::quality
