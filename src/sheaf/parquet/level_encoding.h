#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sheaf::parquet {

/// Returns the number of bits for values from 0 to `largest`.
unsigned bit_width(std::uint32_t largest);

/// Appends values in Parquet's hybrid of run-length encoding and bit packing: a run of eight or more equal
/// values becomes a count and the value; other values are packed in groups of eight. Used for repetition and
/// definition levels and for dictionary indexes. `width` is the number of bits per value, 0 to 32.
void append_hybrid(std::string& out, std::span<const std::uint32_t> values, unsigned width);
void append_hybrid(std::string& out, std::span<const std::uint8_t> values, unsigned width);

}  // namespace sheaf::parquet
