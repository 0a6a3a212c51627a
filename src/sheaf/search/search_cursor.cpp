#include "sheaf/search/search_cursor.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace sheaf::search {

std::string encode(const SearchCursor& cursor) {
  return fmt::format("{:x}.{:x}.{:x}.{:x}", cursor.query, cursor.revision, cursor.rank, cursor.document);
}

std::optional<SearchCursor> decode_search_cursor(std::string_view text) {
  std::array<std::uint64_t, 4> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string_view part = text.substr(0, text.find('.'));
    const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), numbers[i], 16);
    if (failure != std::errc() || end != part.data() + part.size()) return std::nullopt;
    text.remove_prefix(part.size());
    const bool is_last = i + 1 == numbers.size();
    if (text.empty() != is_last) return std::nullopt;
    if (!is_last) text.remove_prefix(1);
  }
  return SearchCursor{numbers[0], numbers[1], numbers[2], numbers[3]};
}

}  // namespace sheaf::search
