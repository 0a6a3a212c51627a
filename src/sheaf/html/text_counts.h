#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::html {

namespace scan {
enum class Level : std::uint8_t;
}

/// What a text is made of.
struct TextCounts {
  std::uint32_t chars = 0;      ///< characters that are no white space; wide ones count two
  std::uint32_t word_gaps = 0;  ///< words that follow white space inside the text
  std::uint32_t marks = 0;      ///< full stops, question and exclamation marks
  std::uint32_t commas = 0;     ///< commas and semicolons
  std::uint32_t digits = 0;
  std::uint32_t capitals = 0;  ///< A to Z
  std::uint32_t handles = 0;   ///< '@'

  friend bool operator==(const TextCounts&, const TextCounts&) = default;
};

/// Counts a text of UTF-8. Memory after it may be read up to `readable_end`, never beyond, and does not
/// count: most texts are short, and one look at a whole block is quicker than many at a byte each.
TextCounts count_text(std::string_view text, const char* readable_end);
/// The same, but of it only `chars` and `word_gaps` are to be looked at.
TextCounts count_chars(std::string_view text, const char* readable_end);
/// For tests: at a given level, which the processor must have.
TextCounts count_text(scan::Level level, std::string_view text, const char* readable_end);

/// The same, a byte at a time: for processors without vectors, and for tests.
TextCounts count_text_portable(std::string_view text);

}  // namespace sheaf::html
