#pragma once

#include <cstdint>

namespace sheaf::format {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kGiB = 1024 * kMiB;

/// What a reader will bear and a writer will not exceed. The defaults are the drafts' ("Threat: Memory and
/// CPU Exhaustion"); every reader and writer is handed its own, so two with different limits live side by
/// side.
struct Limits {
  std::uint64_t compressed_bytes = 50 * kGiB;
  std::uint64_t decompressed_bytes = 500 * kGiB;
  std::uint64_t page_bytes = 100 * kMiB;  ///< one line, without its line feed
  std::uint32_t blocks = 1000;            ///< content blocks of a page
  std::uint32_t depth = 256;              ///< nested JSON arrays and objects; the drafts name no number
  /// JSON values of a line, names of members included. A parser needs up to sixty bytes for a value that
  /// takes two in the line, so that the size of a line does not bound the memory it costs.
  std::uint32_t values = 1'000'000;
  std::uint32_t ratio = 100;  ///< decompressed : compressed
  /// The ratio is judged from this much output on: a small file compresses by chance better than any bomb.
  std::uint64_t ratio_from = kMiB;
};

/// Whether that many plain bytes from that many compressed ones make a bomb. Divides, so that nothing
/// overflows.
constexpr bool exceeds_ratio(std::uint64_t plain, std::uint64_t compressed, const Limits& limits) {
  if (plain < limits.ratio_from) return false;
  const std::uint64_t quotient = plain / limits.ratio;
  return quotient > compressed || (quotient == compressed && plain % limits.ratio > 0);
}

}  // namespace sheaf::format
