#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace sheaf::quality {

/// The usual range of kept shares on the pages of a site, in thousandths of a page's text.
struct UsualShare {
  std::uint64_t median = 0;
  std::uint64_t low = 0;   ///< smaller shares are unusual
  std::uint64_t high = 0;  ///< larger shares are unusual
};

/// A histogram, in thousandths, of the kept share: the part of a page's text that extraction keeps. Sites
/// differ too much for fixed bounds: a manual keeps nine tenths of its text, a shop a fifth. So a share is
/// unusual if it is far from the median of the site, measured in median absolute deviations, which a few
/// outliers do not change.
class KeptShareHistogram {
 public:
  static constexpr std::uint64_t kWhole = 1000;

  /// The kept share of a page, in thousandths; nullopt if the page has too little text.
  static std::optional<std::uint64_t> share(std::uint64_t kept_chars, std::uint64_t shown_chars);

  void add(std::uint64_t share) {
    ++counts_[share];
    ++pages_;
  }
  /// The usual range; nullopt if there are too few pages.
  [[nodiscard]] std::optional<UsualShare> usual() const;
  /// The number of pages with a share below `low`, or above `high`.
  [[nodiscard]] std::uint64_t below(std::uint64_t low) const;
  [[nodiscard]] std::uint64_t above(std::uint64_t high) const;

 private:
  std::array<std::uint64_t, kWhole + 1> counts_{};
  std::uint64_t pages_ = 0;
};

}  // namespace sheaf::quality
