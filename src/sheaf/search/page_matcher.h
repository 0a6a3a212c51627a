#pragma once

#include "sheaf/search/match_plan.h"
#include "sheaf/search/page_terms.h"
#include <sheaf/page.h>

#include <span>
#include <string_view>
#include <vector>

namespace sheaf::search {

/// Evaluates a query on a page itself, with the same words as the index has. Used to check phrases, for which
/// the index has no positions: with them it would be as large as the text. One thread at a time.
class PageMatcher {
 public:
  /// Whether the page matches. Filters (site, language) are the index's business and hold here.
  bool operator()(const MatchPlan& plan, const Page& page);

  /// Whether the words stand in the text one after the other. `language` is that of the page.
  bool has_phrase(std::string_view text, std::string_view language, std::span<const WordForms> words);

 private:
  bool holds(const MatchNode& node, const Page& page);
  const PageTerms& terms_of(const Page& page);
  bool phrase_holds(const MatchNode& node, const Page& page);

  PageTermMaker make_terms_;
  const PageTerms* terms_ = nullptr;  ///< of the page; made when they are needed
  StemmerSet stemmers_;
  WordSplitter splitter_;
  std::vector<std::size_t> partial_;  ///< how many words of the phrase each run has matched
};

/// Whether a term is one of the forms.
bool is_form(const WordForms& forms, std::string_view term);

}  // namespace sheaf::search
