#include "sheaf/search/index_files_internal.h"
#include "sheaf/search/index_query_internal.h"
#include "sheaf/search/word_suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::search {
namespace {

using Xapian::Query;

// How much more a match in the title counts.
constexpr double kTitleBoost = 2.5;
// Words looked at for a suggestion.
constexpr std::size_t kMostLookedAt = 300'000;

Query any_of(const std::vector<Query>& queries) {
  return Query(Query::OP_OR, queries.begin(), queries.end());
}

Query word_query(const WordForms& forms, std::string_view prefix) {
  std::vector<Query> any;
  for (const std::string& term : forms.terms) any.emplace_back(std::string(prefix) + term);
  if (!forms.prefix.empty())
    any.emplace_back(Query::OP_WILDCARD, std::string(prefix) + forms.prefix, kMostExpansions,
                     Query::WILDCARD_LIMIT_ERROR, Query::OP_SYNONYM);
  if (any.size() == 1) return any.front();
  return Query(Query::OP_SYNONYM, any.begin(), any.end());
}

// Recursion ends: a plan is at most four deep, whatever the query is.
Query node_query(const MatchNode& node) {
  const std::string_view prefix = node.in_title ? kTitlePrefix : std::string_view();
  std::vector<Query> parts;
  for (const MatchNode& child : node.children) parts.push_back(node_query(child));
  switch (node.kind) {
    case MatchNode::Kind::any: return any_of(parts);
    case MatchNode::Kind::filter: return Query(Query::OP_SCALE_WEIGHT, Query(node.words[0].terms[0]), 0);
    case MatchNode::Kind::word:
    case MatchNode::Kind::phrase:
    case MatchNode::Kind::all: break;
  }
  for (const WordForms& word : node.words) parts.push_back(word_query(word, prefix));
  return Query(Query::OP_AND, parts.begin(), parts.end());
}

/// The words of a node in titles; they add to the score of pages that match.
void add_title_words(const MatchNode& node, std::vector<Query>& out) {
  if (node.kind == MatchNode::Kind::filter || node.in_title) return;
  // Whatever a star stands for is too much to look up twice.
  for (const WordForms& word : node.words)
    if (word.prefix.empty())
      out.emplace_back(Query::OP_SCALE_WEIGHT, word_query(word, kTitlePrefix), kTitleBoost);
  for (const MatchNode& child : node.children) add_title_words(child, out);
}

bool has_phrase(const MatchNode& node) {
  return node.kind == MatchNode::Kind::phrase || std::ranges::any_of(node.children, has_phrase);
}

/// The nearest known word, the most frequent of several.
class Speller {
 public:
  Speller(const Xapian::Database& database, StemmerSet& stemmers, const std::vector<std::string>& languages)
      : database_(database), stemmers_(stemmers), languages_(languages) {}

  [[nodiscard]] Xapian::doccount pages_with(const SearchWord& word) {
    Xapian::doccount most = database_.get_termfreq(std::string(word.text));
    for (const std::string& language : languages_)
      most = std::max(most, database_.get_termfreq(std::string(stemmers_.of(language).term_of(word))));
    return most;
  }

  /// Words with the same first letter first: that is rarely the mistake.
  std::string nearest(std::string_view word) {
    const std::u32string letters = letters_of(word);
    if (letters.size() < 3) return {};
    std::string first(word.substr(0, 1));
    if (static_cast<unsigned char>(first[0]) >= 0x80) first.clear();
    std::string found = nearest_with_prefix(letters, first);
    return found.empty() && !first.empty() ? nearest_with_prefix(letters, "") : found;
  }

 private:
  std::string nearest_with_prefix(const std::u32string& letters, const std::string& start) {
    const std::string prefix = std::string(kVocabularyPrefix) + start;
    std::size_t best = most_mistakes(letters.size()) + 1;
    Xapian::doccount most_pages = 0;
    std::string found;
    std::size_t seen = 0;
    for (auto it = database_.metadata_keys_begin(prefix);
         it != database_.metadata_keys_end(prefix) && seen < kMostLookedAt; ++it, ++seen) {
      const std::string known = (*it).substr(kVocabularyPrefix.size());
      const std::size_t distance = edit_distance(letters, letters_of(known), most_mistakes(letters.size()));
      if (distance > best || distance > most_mistakes(letters.size())) continue;
      const Xapian::doccount pages = pages_with({known, WordKind::word, true, 0, 0});
      if (pages == 0 || (distance == best && pages <= most_pages)) continue;
      best = distance;
      most_pages = pages;
      found = known;
    }
    return found;
  }

  const Xapian::Database& database_;
  StemmerSet& stemmers_;
  const std::vector<std::string>& languages_;
};

}  // namespace

Query to_xapian(const MatchPlan& plan, const std::optional<Instant>& since) {
  std::vector<Query> words;
  std::vector<Query> filters;
  std::vector<Query> titles;
  for (const MatchNode& node : plan.required) {
    (node.kind == MatchNode::Kind::filter ? filters : words).push_back(node_query(node));
    add_title_words(node, titles);
  }
  if (since)
    filters.emplace_back(Query::OP_VALUE_GE, kModifiedSlot,
                         Xapian::sortable_serialise(static_cast<double>(since->seconds)));
  Query query = words.empty() ? Query::MatchAll : Query(Query::OP_AND, words.begin(), words.end());
  // OP_AND_MAYBE is meant for this, but Xapian 1.4 loses results with it when few are asked for.
  if (!titles.empty()) query = Query(Query::OP_FILTER, Query(Query::OP_OR, query, any_of(titles)), query);
  if (!filters.empty())
    query = Query(Query::OP_FILTER, query, Query(Query::OP_AND, filters.begin(), filters.end()));
  std::vector<Query> excluded;
  for (const MatchNode& node : plan.excluded)
    if (!has_phrase(node)) excluded.push_back(node_query(node));
  return excluded.empty() ? query : Query(Query::OP_AND_NOT, query, any_of(excluded));
}

base::Result<void> check_filters(const Xapian::Database& database, const MatchPlan& plan) {
  for (const MatchNode& node : plan.required) {
    if (node.kind != MatchNode::Kind::filter) continue;
    const std::string& term = node.words[0].terms[0];
    if (database.term_exists(term)) continue;
    const auto is_of = [&](std::string_view prefix) { return term.starts_with(prefix); };
    const std::string_view what = is_of(kSectionPrefix)    ? "section"
                                  : is_of(kLanguagePrefix) ? "language"
                                                           : "site";
    const std::size_t skip = is_of(kSectionPrefix) ? kSectionPrefix.size() : 1;
    return base::fail(base::Errc::not_found,
                      fmt::format("the index has no page of the {} {}", what, term.substr(skip)));
  }
  return {};
}

std::string suggest_query(const Xapian::Database& database, const std::string& text, const SearchQuery& query,
                          StemmerSet& stemmers, const std::vector<std::string>& languages) {
  Speller speller(database, stemmers, languages);
  WordSplitter splitter;
  std::string suggestion = text;
  bool changed = false;
  for (const QueryClause& clause : query.clauses) {
    if (clause.excluded) continue;
    for (const QueryTerm& term : clause.any_of) {
      if (term.kind != QueryTerm::Kind::word && term.kind != QueryTerm::Kind::phrase) continue;
      std::vector<std::pair<std::string, std::string>> known;
      splitter.each(term.text, [&](const SearchWord& word) {
        if (word.kind != WordKind::word || !word.only_letters || speller.pages_with(word) > 0) return;
        known.emplace_back(term.text.substr(word.from, word.to - word.from), speller.nearest(word.text));
      });
      for (const auto& [typed, better] : known) {
        const std::size_t at = suggestion.find(typed);
        if (better.empty() || at == std::string::npos) continue;
        suggestion.replace(at, typed.size(), better);
        changed = true;
      }
    }
  }
  return changed ? suggestion : std::string();
}

}  // namespace sheaf::search
