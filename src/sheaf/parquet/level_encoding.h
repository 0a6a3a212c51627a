#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sheaf::parquet {

/// The number of bits for values from 0 to `largest`.
unsigned bit_width(std::uint32_t largest);

/// Appends values in Parquet's hybrid of run-length encoding and bit packing: a run of eight or more equal
/// values becomes a count and the value, anything else groups of eight packed values. For repetition and
/// definition levels and for indexes into a dictionary. `width` is in bits, 0 to 32.
void append_hybrid(std::string& out, std::span<const std::uint32_t> values, unsigned width);
void append_hybrid(std::string& out, std::span<const std::uint8_t> values, unsigned width);

}  // namespace sheaf::parquet
