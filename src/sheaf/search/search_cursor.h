#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::search {

/// Where the next results of a query begin. While the index is unchanged, the rank tells it. If the index has
/// changed, they begin after the last result that was shown, whatever its rank is now.
struct SearchCursor {
  std::uint64_t query = 0;     ///< hash of the request, which the cursor belongs to
  std::uint64_t revision = 0;  ///< revision of the index
  std::uint64_t rank = 0;      ///< rank of the first result that was not shown
  std::uint64_t document = 0;  ///< number of the last result that was shown
  friend bool operator==(const SearchCursor&, const SearchCursor&) = default;
};

std::string encode(const SearchCursor& cursor);
/// Returns nullopt if `text` was not made by encode().
std::optional<SearchCursor> decode_search_cursor(std::string_view text);

}  // namespace sheaf::search
