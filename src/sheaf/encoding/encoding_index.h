#pragma once

#include <cstdint>
#include <vector>

namespace sheaf::encoding {

/// An "index" of the Encoding Standard: maps pointers to code points; 0 for an unmapped pointer.
using CodeIndex = std::vector<char32_t>;

enum class IndexName : std::uint8_t { jis0208, jis0212, gb18030, big5, euc_kr };
inline constexpr std::size_t kIndexCount = 5;

/// Builds an index of the standard from the most similar ICU converter and a list of corrections, so that our
/// source need not repeat ICU's tables. Takes one or two milliseconds. If ICU lacks the converter, the index
/// has its full size but only the corrections.
CodeIndex build_index(IndexName name);

/// The code point of a four-byte gb18030 sequence, by its pointer ("index gb18030 ranges"); 0 if there is
/// none.
char32_t gb18030_range_code_point(std::uint32_t pointer);

}  // namespace sheaf::encoding
