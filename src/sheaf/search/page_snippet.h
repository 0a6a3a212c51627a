#pragma once

#include "sheaf/search/match_plan.h"
#include "sheaf/search/page_matcher.h"
#include <sheaf/page.h>
#include <sheaf/search.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sheaf::search {

/// The approximate number of bytes of text in a snippet.
inline constexpr std::size_t kSnippetBytes = 240;

/// Finds the place of a page that has most of the query's words, a phrase before its scattered words. One
/// thread at a time.
class SnippetMaker {
 public:
  Snippet operator()(const MatchPlan& plan, const Page& page);

 private:
  struct Match {
    std::size_t from = 0;  ///< bytes of the text
    std::size_t to = 0;
    std::size_t word = 0;  ///< which one of the query
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
  std::vector<Match> matches_;  ///< of the text looked at last
};

}  // namespace sheaf::search
