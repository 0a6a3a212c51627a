#pragma once

#include "sheaf/text/padded_text.h"

#include <cstdint>
#include <string_view>

namespace sheaf::text {

namespace scan {
enum class Level : std::uint8_t;
}

/// Character and word statistics of a text.
struct TextCounts {
  std::uint32_t chars = 0;      ///< characters other than white space; wide ones count two
  std::uint32_t word_gaps = 0;  ///< words that follow white space inside the text
  std::uint32_t marks = 0;      ///< full stops, question and exclamation marks
  std::uint32_t commas = 0;     ///< commas and semicolons
  std::uint32_t digits = 0;
  std::uint32_t capitals = 0;  ///< A to Z
  std::uint32_t handles = 0;   ///< '@'

  friend bool operator==(const TextCounts&, const TextCounts&) = default;
};

/// Counts a UTF-8 text.
TextCounts count_text(PaddedText text);
/// The same, but only `chars` and `word_gaps` of the result are valid.
TextCounts count_chars(PaddedText text);
/// For tests: counts at a given level, which the processor must support.
TextCounts count_text(scan::Level level, PaddedText text);

/// The same, byte by byte: for processors without suitable vector instructions, and for tests.
TextCounts count_text_portable(std::string_view text);

}  // namespace sheaf::text
