#pragma once

#include "sheaf/search/term_counts.h"
#include "sheaf/search/term_stemmer.h"
#include "sheaf/search/word_pairs.h"
#include <sheaf/page.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::search {

/// What the index has of a page. A word of a title or heading counts several times.
struct PageTerms {
  TermCounts body;                     ///< of all texts, the title included
  TermCounts title;                    ///< for title: and because a match in the title weighs more
  TermCounts pairs;                    ///< of words in the title and in headings (word_pairs.h)
  std::uint64_t bytes = 0;             ///< of text
  std::vector<std::string> new_words;  ///< folded, not stemmed; not met before or forgotten since
};

/// Makes the terms of pages. One thread at a time.
class PageTermMaker {
 public:
  /// Lives until the next call.
  const PageTerms& operator()(const Page& page);

 private:
  void add_path(const Page& page, TermStemmer& stemmer);

  StemmerSet stemmers_;
  WordSplitter splitter_;
  WordPairs pairs_;
  PageTerms terms_;
};

}  // namespace sheaf::search
