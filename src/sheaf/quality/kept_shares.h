#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace sheaf::quality {

/// The usual range of kept text on the pages of a site, in thousandths of a page's text.
struct UsualShare {
  std::uint64_t median = 0;
  std::uint64_t low = 0;   ///< less is unusual
  std::uint64_t high = 0;  ///< more is unusual
};

/// The distribution of kept shares, in a histogram of thousandths. Sites differ too much for fixed bounds: a
/// manual keeps nine tenths of its text, a shop a fifth. So a share is unusual if it is far from the site's
/// own median, measured in median absolute deviations, which a few outliers do not change.
class KeptShares {
 public:
  static constexpr std::uint64_t kWhole = 1000;

  /// Thousandths; nullopt for a page with too little text.
  static std::optional<std::uint64_t> share(std::uint64_t kept_chars, std::uint64_t shown_chars);

  void add(std::uint64_t share) {
    ++counts_[share];
    ++pages_;
  }
  /// Nullopt if there are too few pages.
  [[nodiscard]] std::optional<UsualShare> usual() const;
  /// How many pages have less than `low`, or more than `high`.
  [[nodiscard]] std::uint64_t below(std::uint64_t low) const;
  [[nodiscard]] std::uint64_t above(std::uint64_t high) const;

 private:
  std::array<std::uint64_t, kWhole + 1> counts_{};
  std::uint64_t pages_ = 0;
};

}  // namespace sheaf::quality
