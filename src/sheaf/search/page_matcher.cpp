#include "sheaf/search/page_matcher.h"

#include "sheaf/search/page_texts.h"

#include <algorithm>
#include <functional>
#include <ranges>

namespace sheaf::search {
namespace {

bool has_any(const TermCounts& counts, const WordForms& forms) {
  const auto is_there = [&](const std::string& term) { return counts.contains(term); };
  if (std::ranges::any_of(forms.terms, is_there)) return true;
  return !forms.prefix.empty() && std::ranges::any_of(counts.entries(), [&](const TermCount& entry) {
    return entry.term.starts_with(forms.prefix);
  });
}

}  // namespace

bool is_form(const WordForms& forms, std::string_view term) {
  return std::ranges::find(forms.terms, term) != forms.terms.end() ||
         (!forms.prefix.empty() && term.starts_with(forms.prefix));
}

bool PageMatcher::operator()(const MatchPlan& plan, const Page& page) {
  terms_ = nullptr;
  const auto matches = [&](const MatchNode& node) { return holds(node, page); };
  const auto is_phrase = [](const MatchNode& node) { return node.kind == MatchNode::Kind::phrase; };
  // The index has found the words, so most pages that fail lack a phrase. Checking a phrase needs no terms.
  return std::ranges::all_of(plan.required | std::views::filter(is_phrase), matches) &&
         std::ranges::all_of(plan.required | std::views::filter(std::not_fn(is_phrase)), matches) &&
         std::ranges::none_of(plan.excluded, matches);
}

const PageTerms& PageMatcher::terms_of(const Page& page) {
  if (terms_ == nullptr) terms_ = &make_terms_(page);
  return *terms_;
}

// The recursion is bounded: a plan is at most four levels deep for any query.
bool PageMatcher::holds(const MatchNode& node, const Page& page) {
  const auto matches = [&](const MatchNode& child) { return holds(child, page); };
  switch (node.kind) {
    case MatchNode::Kind::all: return std::ranges::all_of(node.children, matches);
    case MatchNode::Kind::any: return std::ranges::any_of(node.children, matches);
    case MatchNode::Kind::word:
      return has_any(node.in_title ? terms_of(page).title : terms_of(page).body, node.words[0]);
    case MatchNode::Kind::phrase: return phrase_holds(node, page);
    case MatchNode::Kind::filter: break;
  }
  return true;
}

bool PageMatcher::phrase_holds(const MatchNode& node, const Page& page) {
  bool found = false;
  each_page_text(page, [&](const PageText& text) {
    if (node.in_title && text.role != TextRole::title) return false;
    found = has_phrase(text.text, page.language, node.words);
    return !found;
  });
  return found;
}

/// Advances all runs that match so far by each word of the text, so that no word is read twice.
bool PageMatcher::has_phrase(std::string_view text, std::string_view language,
                             std::span<const WordForms> words) {
  TermStemmer& stemmer = stemmers_.of(language);
  partial_.clear();
  bool found = false;
  splitter_.each(text, [&](const SearchWord& word) {
    if (found || word.kind == WordKind::identifier || word.kind == WordKind::last) return;
    const std::string_view term = stemmer.term_of(word);
    partial_.push_back(0);
    std::erase_if(partial_, [&](const std::size_t& run) { return !is_form(words[run], term); });
    for (std::size_t& run : partial_) found = ++run == words.size() || found;
  });
  return found;
}

}  // namespace sheaf::search
