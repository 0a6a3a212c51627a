#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::search {

/// Where the results of a query go on. Within one state of the index, by rank alone. Once the index has
/// changed, after the last result that was shown, wherever that is now.
struct SearchCursor {
  std::uint64_t query = 0;     ///< hash of the request: a cursor belongs to one
  std::uint64_t revision = 0;  ///< of the index
  std::uint64_t rank = 0;      ///< of the first result that was not shown
  std::uint64_t document = 0;  ///< number of the last one that was
  friend bool operator==(const SearchCursor&, const SearchCursor&) = default;
};

std::string encode(const SearchCursor& cursor);
/// Nothing for a text that encode() did not make.
std::optional<SearchCursor> decode_search_cursor(std::string_view text);

}  // namespace sheaf::search
