#pragma once

#include <cstdint>
#include <vector>

namespace sheaf::encoding {

/// Code points by pointer, an "index" of the Encoding Standard; 0 for an unmapped pointer.
using CodeIndex = std::vector<char32_t>;

enum class IndexName : std::uint8_t { jis0208, jis0212, gb18030, big5, euc_kr };
inline constexpr std::size_t kIndexCount = 5;

/// The standard's index, made from the nearest ICU converter with corrections; takes a millisecond or two.
/// Tables in our source would only repeat what ICU has. If ICU lacks the converter, the index has its full
/// size and only the corrections.
CodeIndex build_index(IndexName name);

/// The code point of a four-byte gb18030 sequence by its pointer ("index gb18030 ranges"), 0 for none.
char32_t gb18030_range_code_point(std::uint32_t pointer);

}  // namespace sheaf::encoding
