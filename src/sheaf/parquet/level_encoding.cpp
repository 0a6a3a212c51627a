#include "sheaf/parquet/level_encoding.h"

#include <algorithm>
#include <bit>

namespace sheaf::parquet {
namespace {

constexpr std::size_t kGroup = 8;  // values in a packed group

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) out.push_back(static_cast<char>(value | 0x80U));
  out.push_back(static_cast<char>(value));
}

template <class Value>
std::size_t run_length(std::span<const Value> values, std::size_t from) {
  std::size_t end = from + 1;
  while (end < values.size() && values[end] == values[from]) ++end;
  return end - from;
}

void append_run(std::string& out, std::size_t count, std::uint32_t value, unsigned width) {
  append_varint(out, std::uint64_t{count} << 1U);
  for (unsigned shift = 0; shift < width; shift += 8) out.push_back(static_cast<char>(value >> shift));
}

/// Packs values, the lowest bits first. The last group is padded with zeros, which readers ignore.
template <class Value>
void append_packed(std::string& out, std::span<const Value> values, unsigned width) {
  const std::size_t groups = (values.size() + kGroup - 1) / kGroup;
  append_varint(out, std::uint64_t{groups} << 1U | 1U);
  std::uint64_t bits = 0;
  unsigned held = 0;
  for (std::size_t i = 0; i < groups * kGroup; ++i) {
    bits |= std::uint64_t{i < values.size() ? values[i] : Value{}} << held;
    for (held += width; held >= 8; held -= 8, bits >>= 8U) out.push_back(static_cast<char>(bits));
  }
}

template <class Value>
void append_values(std::string& out, std::span<const Value> values, unsigned width) {
  std::size_t packed_from = 0;  // values from here to `at` are not written yet
  std::size_t at = 0;
  const auto flush_packed = [&] {
    if (at > packed_from) append_packed(out, values.subspan(packed_from, at - packed_from), width);
  };
  while (at < values.size()) {
    std::size_t run = run_length(values, at);
    // Packed values are written in whole groups, so an incomplete group takes values from the run.
    const std::size_t open = (at - packed_from) % kGroup;
    const std::size_t fill = open == 0 ? 0 : std::min(kGroup - open, run);
    if (run - fill < kGroup) {
      at += run;
      continue;
    }
    at += fill;
    run -= fill;
    flush_packed();
    append_run(out, run, values[at], width);
    at += run;
    packed_from = at;
  }
  flush_packed();
}

}  // namespace

unsigned bit_width(std::uint32_t largest) { return static_cast<unsigned>(std::bit_width(largest)); }

void append_hybrid(std::string& out, std::span<const std::uint32_t> values, unsigned width) {
  append_values(out, values, width);
}

void append_hybrid(std::string& out, std::span<const std::uint8_t> values, unsigned width) {
  append_values(out, values, width);
}

}  // namespace sheaf::parquet
