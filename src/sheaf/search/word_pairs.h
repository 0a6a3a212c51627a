#pragma once

#include "sheaf/search/search_words.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace sheaf::search {

/// Pairs of adjacent words in a heading or in a query. A page with a heading that has the typed words in the
/// same order is most likely the one that is looked for. Words are folded but not stemmed: a pair is only
/// found as it was written.
class WordPairs {
 public:
  using Use = std::function<void(std::string_view pair)>;

  /// Must be called with each word of a text, in order.
  void add(const SearchWord& word, const Use& use) {
    // The parts of an identifier are added instead of it. Scripts without spaces are indexed by pairs of
    // characters anyway.
    if (word.kind == WordKind::identifier) return;
    if (word.kind != WordKind::word) return end();
    if (!previous_.empty() && pairs_ < kMaxPairs) {
      previous_ += ' ';
      previous_ += word.text;
      use(previous_);
      ++pairs_;
    }
    previous_ = word.text;
  }

  /// Ends a text: the next word follows no other.
  void end() {
    previous_.clear();
    pairs_ = 0;
  }

 private:
  /// Per text. Nobody types more, but some headings are whole paragraphs.
  static constexpr std::size_t kMaxPairs = 24;

  std::string previous_;
  std::size_t pairs_ = 0;
};

}  // namespace sheaf::search
