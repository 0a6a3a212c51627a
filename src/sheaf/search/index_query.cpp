#include "sheaf/search/index_files_internal.h"
#include "sheaf/search/index_query_internal.h"
#include "sheaf/search/prepared_search.h"
#include "sheaf/search/word_suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::search {
namespace {

using Xapian::Query;

// Extra weight of a match in the title.
constexpr double kTitleBoost = 2.5;
// Extra weight of two adjacent words in the title or in a heading.
constexpr double kPairBoost = 1.0;

Query any_of(const std::vector<Query>& queries) {
  return Query(Query::OP_OR, queries.begin(), queries.end());
}

Query word_query(const WordForms& forms, std::string_view prefix) {
  std::vector<Query> any;
  for (const std::string& term : forms.terms) any.emplace_back(std::string(prefix) + term);
  if (!forms.prefix.empty())
    any.emplace_back(Query::OP_WILDCARD, std::string(prefix) + forms.prefix, kMaxExpansions,
                     Query::WILDCARD_LIMIT_ERROR, Query::OP_SYNONYM);
  if (any.size() == 1) return any.front();
  return Query(Query::OP_SYNONYM, any.begin(), any.end());
}

// The recursion is bounded: a plan is at most four levels deep for any query.
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
  // A word with a star may match too many terms to look them up twice.
  for (const WordForms& word : node.words)
    if (word.prefix.empty())
      out.emplace_back(Query::OP_SCALE_WEIGHT, word_query(word, kTitlePrefix), kTitleBoost);
  for (const MatchNode& child : node.children) add_title_words(child, out);
}

bool has_phrase(const MatchNode& node) {
  return node.kind == MatchNode::Kind::phrase || std::ranges::any_of(node.children, has_phrase);
}

// The recursion is bounded: a plan is at most four levels deep for any query.
bool stands_for_few(const Xapian::Database& database, const MatchNode& node) {
  for (const WordForms& word : node.words) {
    if (word.prefix.empty()) continue;
    const std::string prefix = std::string(node.in_title ? kTitlePrefix : std::string_view()) + word.prefix;
    Xapian::termcount terms = 0;
    for (auto it = database.allterms_begin(prefix); it != database.allterms_end(prefix); ++it)
      if (++terms > kMaxExpansions) return false;
  }
  return std::ranges::all_of(node.children,
                             [&](const MatchNode& child) { return stands_for_few(database, child); });
}

/// The words that the index has.
class XapianVocabulary final : public Vocabulary {
 public:
  XapianVocabulary(const Xapian::Database& words, const Xapian::Database& database, StemmerSet& stemmers,
                   const std::vector<std::string>& languages)
      : words_(words), database_(database), stemmers_(stemmers), languages_(languages) {}

  base::Result<std::uint64_t> pages_with(const SearchWord& word) override {
    Xapian::doccount most = database_.get_termfreq(std::string(word.text));
    for (const std::string& language : languages_)
      most = std::max(most, database_.get_termfreq(std::string(stemmers_.of(language).term_of(word))));
    return most;
  }

  base::Result<void> each_word(const std::string& start, std::size_t /*letters*/,
                               const std::function<bool(const std::string&)>& use) override {
    const std::string prefix = std::string(kVocabularyPrefix) + start;
    for (auto it = words_.metadata_keys_begin(prefix); it != words_.metadata_keys_end(prefix); ++it)
      if (!use((*it).substr(kVocabularyPrefix.size()))) break;
    return {};
  }

 private:
  const Xapian::Database& words_;
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
  for (const std::string& pair : plan.pairs)
    titles.emplace_back(Query::OP_SCALE_WEIGHT, Query(std::string(kPairPrefix) + pair), kPairBoost);
  // OP_AND_MAYBE is meant for this, but Xapian 1.4 loses results with it when few are requested.
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
    return std::unexpected(unknown_filter(term));
  }
  return {};
}

base::Result<void> check_prefixes(const Xapian::Database& database, const MatchPlan& plan) {
  const auto is_small = [&](const MatchNode& node) { return stands_for_few(database, node); };
  if (std::ranges::all_of(plan.required, is_small) && std::ranges::all_of(plan.excluded, is_small)) return {};
  return base::fail(base::Errc::invalid_argument,
                    fmt::format("a word with * matches more than {} words; type more letters before the *",
                                kMaxExpansions));
}

base::Result<std::string> suggest_query(const Xapian::Database& words, const Xapian::Database& database,
                                        const std::string& text, const SearchQuery& query,
                                        StemmerSet& stemmers, const std::vector<std::string>& languages) {
  XapianVocabulary vocabulary(words, database, stemmers, languages);
  return suggest_query(vocabulary, text, query);
}

}  // namespace sheaf::search
