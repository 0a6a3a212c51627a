#pragma once

#include "sheaf/search/search_words.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace sheaf::search {

/// Pairs of words that follow each other in a heading or in a query: a page with a heading that says what was
/// typed, in that order, is most likely what is looked for. Words are folded but not stemmed: a pair is found
/// only as it was written.
class WordPairs {
 public:
  using Use = std::function<void(std::string_view pair)>;

  /// To be called with each word of a text in order.
  void add(const SearchWord& word, const Use& use) {
    // An identifier is its parts; scripts without spaces are indexed by pairs of characters anyway.
    if (word.kind == WordKind::identifier) return;
    if (word.kind != WordKind::word) return end();
    if (!previous_.empty() && pairs_ < kMostPairs) {
      previous_ += ' ';
      previous_ += word.text;
      use(previous_);
      ++pairs_;
    }
    previous_ = word.text;
  }

  /// The next word follows no other.
  void end() {
    previous_.clear();
    pairs_ = 0;
  }

 private:
  /// Of one text: nobody types more, and some headings are whole paragraphs.
  static constexpr std::size_t kMostPairs = 24;

  std::string previous_;
  std::size_t pairs_ = 0;
};

}  // namespace sheaf::search
