#pragma once

#include <sheaf/collection.h>

#include <cstdint>

namespace sheaf::format {

using sheaf::Limits;

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kGiB = 1024 * kMiB;

/// Whether a file with these sizes is a decompression bomb. Divides, so that nothing overflows.
constexpr bool exceeds_ratio(std::uint64_t plain, std::uint64_t compressed, const Limits& limits) {
  if (plain < limits.ratio_from) return false;
  const std::uint64_t quotient = plain / limits.ratio;
  return quotient > compressed || (quotient == compressed && plain % limits.ratio > 0);
}

}  // namespace sheaf::format
