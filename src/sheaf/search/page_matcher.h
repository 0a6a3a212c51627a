#pragma once

#include "sheaf/search/match_plan.h"
#include "sheaf/search/page_terms.h"
#include <sheaf/page.h>

#include <span>
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

}  // namespace sheaf::search
