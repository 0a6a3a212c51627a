#include "sheaf/search/match_plan.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/url.h"
#include "sheaf/search/word_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::search {
namespace {

// Longer names are cut: a term of Xapian has a maximum size.
constexpr std::size_t kMaxNameLength = 200;

std::string bounded_term(std::string_view prefix, std::string_view value) {
  return fmt::format("{}{}", prefix, value.substr(0, kMaxNameLength));
}

class PlanMaker {
 public:
  PlanMaker(std::span<const std::string> languages, StemmerSet& stemmers)
      : languages_(languages), stemmers_(stemmers) {}

  MatchNode node_of(const QueryTerm& term) {
    switch (term.kind) {
      case QueryTerm::Kind::site: return filter(site_term(term.text));
      case QueryTerm::Kind::language: return filter(language_term(term.text));
      case QueryTerm::Kind::phrase: return phrase(term);
      case QueryTerm::Kind::prefix:
      case QueryTerm::Kind::word: break;
    }
    return words(term);
  }

 private:
  static MatchNode filter(std::string term) {
    return {.kind = MatchNode::Kind::filter, .words = {{.terms = {std::move(term)}, .prefix = {}}}};
  }

  WordForms forms_of(const SearchWord& word) {
    if (word.kind == WordKind::alone) return {{}, std::string(word.text)};
    WordForms forms{{std::string(word.text)}, {}};
    if (word.kind != WordKind::word) return forms;
    for (const std::string& language : languages_) {
      const std::string_view term = stemmers_.of(language).term_of(word);
      if (std::ranges::find(forms.terms, term) == forms.terms.end()) forms.terms.emplace_back(term);
    }
    return forms;
  }

  /// A stem may be shorter than the typed prefix, and then stands for words that begin with the prefix.
  WordForms prefix_forms_of(const SearchWord& word) {
    WordForms forms = forms_of(word);
    std::erase_if(forms.terms, [&](const std::string& term) { return !word.text.starts_with(term); });
    forms.prefix = word.text;
    return forms;
  }

  static MatchNode leaf(const QueryTerm& term, WordForms forms) {
    return {.kind = MatchNode::Kind::word, .in_title = term.in_title, .words = {std::move(forms)}};
  }

  /// The words of a text, in order. An identifier matches if the whole identifier or all of its parts match.
  MatchNode words(const QueryTerm& term) {
    MatchNode all;
    const bool is_prefix = term.kind == QueryTerm::Kind::prefix;
    std::size_t identifier_end = 0;
    splitter_.each(term.text, [&](const SearchWord& word) {
      const bool is_last = is_prefix && word.to == term.text.size();
      if (word.kind == WordKind::last) return;
      MatchNode node = leaf(term, is_last ? prefix_forms_of(word) : forms_of(word));
      if (word.kind == WordKind::identifier) {
        MatchNode either{.kind = MatchNode::Kind::any};
        either.children.push_back(std::move(node));
        either.children.emplace_back();
        all.children.push_back(std::move(either));
        identifier_end = word.to;
      } else if (word.to <= identifier_end) {
        all.children.back().children.back().children.push_back(std::move(node));
      } else {
        all.children.push_back(std::move(node));
      }
    });
    if (all.children.size() == 1) return MatchNode(std::move(all.children.front()));
    return all;
  }

  MatchNode phrase(const QueryTerm& term) {
    MatchNode node{.kind = MatchNode::Kind::phrase, .in_title = term.in_title};
    splitter_.each(term.text, [&](const SearchWord& word) {
      if (word.kind != WordKind::last && word.kind != WordKind::identifier)
        node.words.push_back(forms_of(word));
    });
    if (node.words.size() == 1) node.kind = MatchNode::Kind::word;
    return node;
  }

  std::span<const std::string> languages_;
  StemmerSet& stemmers_;
  WordSplitter splitter_;
};

/// Pairs of adjacent required words, as they were typed.
std::vector<std::string> pairs_of(const SearchQuery& query) {
  std::vector<std::string> pairs;
  WordPairs follow;
  WordSplitter splitter;
  for (const QueryClause& clause : query.clauses) {
    const QueryTerm& term = clause.any_of.front();
    const bool is_text = term.kind == QueryTerm::Kind::word || term.kind == QueryTerm::Kind::phrase;
    if (clause.excluded || clause.any_of.size() > 1 || term.in_title || !is_text) {
      follow.end();
      continue;
    }
    splitter.each(term.text, [&](const SearchWord& word) {
      follow.add(word, [&](std::string_view pair) { pairs.emplace_back(pair); });
    });
  }
  return pairs;
}

}  // namespace

MatchPlan make_match_plan(const SearchQuery& query, std::span<const std::string> languages,
                          StemmerSet& stemmers) {
  PlanMaker maker(languages, stemmers);
  MatchPlan plan;
  plan.pairs = pairs_of(query);
  for (const QueryClause& clause : query.clauses) {
    MatchNode node{.kind = MatchNode::Kind::any};
    for (const QueryTerm& term : clause.any_of) {
      node.children.push_back(maker.node_of(term));
      plan.has_phrase = plan.has_phrase || node.children.back().kind == MatchNode::Kind::phrase;
    }
    if (node.children.size() == 1) node = MatchNode(std::move(node.children.front()));
    (clause.excluded ? plan.excluded : plan.required).push_back(std::move(node));
  }
  return plan;
}

std::string site_term(std::string_view site) {
  const bool has_scheme = site.find("://") != std::string_view::npos;
  const auto url = base::Url::parse(has_scheme ? std::string(site) : fmt::format("https://{}", site));
  if (!url) return bounded_term(kHostPrefix, base::lower_text(site));
  if (has_scheme) return bounded_term(kOriginPrefix, url->origin());
  const std::string origin = url->origin();
  return bounded_term(kHostPrefix, std::string_view(origin).substr(origin.find("://") + 3));
}

std::string language_term(std::string_view tag) {
  return bounded_term(kLanguagePrefix, base::lower_text(tag));
}

std::string section_term(std::string_view section) { return bounded_term(kSectionPrefix, section); }

}  // namespace sheaf::search
