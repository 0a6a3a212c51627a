#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/search_query.h"
#include "sheaf/search/search_words.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sheaf::search {

/// The number of letters that must be changed, added, removed or swapped with their neighbour to turn one
/// word into the other; `most` + 1 if it exceeds `most`.
std::size_t edit_distance(std::u32string_view a, std::u32string_view b, std::size_t most);

/// The letters of a UTF-8 word.
std::u32string letters_of(std::string_view word);

/// The number of mistakes that a word of this length may have: one in a short word, two in a longer one.
constexpr std::size_t most_mistakes(std::size_t letters) { return letters < 5 ? 1 : 2; }

/// Whether a word may be suggested later: it is neither too short to be mistyped nor so long that it is
/// encoded data.
constexpr bool is_worth_knowing(std::string_view word) { return word.size() >= 3 && word.size() <= 24; }

/// The words of an index.
class Vocabulary {
 public:
  virtual ~Vocabulary() = default;
  /// The number of pages that have the word, in any of its forms.
  virtual base::Result<std::uint64_t> pages_with(const SearchWord& word) = 0;
  /// Calls `use` with known words that begin with `start`, until it returns false. Words whose number of
  /// letters is far from `letters` may be left out.
  virtual base::Result<void> each_word(const std::string& start, std::size_t letters,
                                       const std::function<bool(const std::string&)>& use) = 0;
};

/// Returns the query with each unknown word replaced by the most similar word of the index, or by the most
/// frequent of several; empty if nothing is replaced.
base::Result<std::string> suggest_query(Vocabulary& vocabulary, const std::string& text,
                                        const SearchQuery& query);

}  // namespace sheaf::search
