#include "sheaf/format/collections/state_digest.h"

#include "sheaf/base/hex.h"

namespace sheaf::format {
namespace {

constexpr std::string_view kPrefix = "sum256:";

}  // namespace

base::Digest StateDigest::hash(std::string_view url, std::string_view modified) {
  sha_.update(url);
  sha_.update("\n");
  sha_.update(modified);
  return sha_.finish();
}

void StateDigest::add(const base::Digest& summand) {
  unsigned carry = 0;
  for (std::size_t i = sum_.size(); i-- > 0;) {
    carry += unsigned{sum_[i]} + summand[i];
    sum_[i] = static_cast<std::uint8_t>(carry);
    carry >>= 8;
  }
}

void StateDigest::subtract(const base::Digest& summand) {
  int borrow = 0;
  for (std::size_t i = sum_.size(); i-- > 0;) {
    const int difference = int{sum_[i]} - summand[i] - borrow;
    borrow = difference < 0 ? 1 : 0;
    sum_[i] = static_cast<std::uint8_t>(difference);
  }
}

std::string StateDigest::to_string() const { return std::string(kPrefix) + base::to_hex(sum_); }

std::optional<base::Digest> StateDigest::parse(std::string_view text) {
  base::Digest digest{};
  if (!text.starts_with(kPrefix) || !base::from_hex(text.substr(kPrefix.size()), digest)) return std::nullopt;
  return digest;
}

bool StateDigest::matches(std::string_view text) const {
  const auto stated = parse(text);
  return stated && *stated == sum_;
}

}  // namespace sheaf::format
