#pragma once

#include "sheaf/search/term_counts.h"
#include "sheaf/search/term_stemmer.h"
#include "sheaf/search/word_pairs.h"
#include <sheaf/page.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::search {

/// The terms of a page in the index. A word of a title or heading counts several times.
struct PageTerms {
  TermCounts body;          ///< words of all texts, including the title
  TermCounts title;         ///< words of the title, for `title:` and because a match in the title weighs more
  TermCounts pairs;         ///< pairs of words in the title and in headings (word_pairs.h)
  std::uint64_t bytes = 0;  ///< bytes of text
  /// Folded but not stemmed words that were not seen before, or were forgotten since.
  std::vector<std::string> new_words;
};

/// Makes the terms of pages. Not thread-safe.
class PageTermMaker {
 public:
  /// The result is valid until the next call.
  const PageTerms& operator()(const Page& page);

 private:
  void add_path(const Page& page, TermStemmer& stemmer);

  StemmerSet stemmers_;
  WordSplitter splitter_;
  WordPairs pairs_;
  PageTerms terms_;
};

}  // namespace sheaf::search
