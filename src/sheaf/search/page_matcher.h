#pragma once

#include "sheaf/search/page_terms.h"
#include "sheaf/search/search_query.h"
#include <sheaf/page.h>
#include <sheaf/search.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::search {

/// Evaluates a query on a page, with the same words that the index has. Used to check phrases: with positions
/// the index would be as large as the text, so it has none. Not thread-safe.
class PageMatcher {
 public:
  /// Whether the page matches. Filters (site, language) are checked by the index and count as fulfilled here.
  bool operator()(const MatchPlan& plan, const Page& page);

  /// Whether the words occur in sequence in the text. `language` is the language of the page.
  bool has_phrase(std::string_view text, std::string_view language, std::span<const WordForms> words);

 private:
  bool holds(const MatchNode& node, const Page& page);
  const PageTerms& terms_of(const Page& page);
  bool phrase_holds(const MatchNode& node, const Page& page);

  PageTermMaker make_terms_;
  const PageTerms* terms_ = nullptr;  ///< terms of the page, made when they are needed
  StemmerSet stemmers_;
  WordSplitter splitter_;
  std::vector<std::size_t> partial_;  ///< number of words of the phrase that each run has matched
};

/// Whether a term is one of the forms.
bool is_form(const WordForms& forms, std::string_view term);

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
