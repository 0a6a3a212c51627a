#pragma once

#include "sheaf/search/match_plan.h"
#include "sheaf/search/page_matcher.h"
#include <sheaf/page.h>
#include <sheaf/search.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sheaf::search {

/// The approximate length of a snippet in bytes.
inline constexpr std::size_t kSnippetBytes = 240;

/// Finds the text of a page that has most of the query's words; a phrase counts more than its scattered
/// words. Not thread-safe.
class SnippetMaker {
 public:
  Snippet operator()(const MatchPlan& plan, const Page& page);

 private:
  struct Match {
    std::size_t from = 0;  ///< position in the text, in bytes
    std::size_t to = 0;
    std::size_t word = 0;  ///< number of the word in the query
  };

  void collect_words(const MatchNode& node);
  void find_matches(std::string_view text, std::string_view language);
  [[nodiscard]] double score(std::string_view text, std::string_view language);
  std::vector<SnippetPart> cut(std::string_view text);

  StemmerSet stemmers_;
  WordSplitter splitter_;
  PageMatcher matcher_;
  std::vector<const WordForms*> words_;
  std::vector<const MatchNode*> phrases_;
  std::vector<Match> matches_;  ///< matches in the current text
};

}  // namespace sheaf::search
