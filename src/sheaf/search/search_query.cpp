#include "sheaf/search/search_query.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/url.h"
#include "sheaf/search/page_terms.h"
#include "sheaf/search/search_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sheaf::search {
namespace {

using base::Errc;
using base::fail;
using base::Result;

bool is_space(char c) { return base::is_space_or_control(c) || c == 0x7F; }

bool has_words(std::string_view text) {
  bool found = false;
  WordSplitter().each(text, [&](const SearchWord&) { found = true; });
  return found;
}

class QueryParser {
 public:
  explicit QueryParser(std::string_view text) : text_(text) {}

  Result<SearchQuery> run() {
    while (skip_space()) {
      if (take_or()) {
        if (query_.clauses.empty() || or_pending_) return or_fault();
        or_pending_ = true;
        continue;
      }
      SHEAF_TRY(take_clause());
    }
    if (or_pending_) return or_fault();
    return finish();
  }

 private:
  bool skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return at_ < text_.size();
  }

  bool take_or() {
    if (!text_.substr(at_).starts_with("OR")) return false;
    if (at_ + 2 < text_.size() && !is_space(text_[at_ + 2])) return false;
    at_ += 2;
    return true;
  }

  static std::unexpected<base::Error> or_fault() {
    return fail(Errc::invalid_argument,
                "OR must stand between two words; write \"or\" to search for the word");
  }

  Result<void> take_clause() {
    const std::size_t begin = at_;
    const bool excluded = text_[at_] == '-' && at_ + 1 < text_.size() && !is_space(text_[at_ + 1]);
    if (excluded) ++at_;
    QueryTerm term;
    const bool has_field = take_field(term);
    if (at_ < text_.size() && text_[at_] == '"') {
      SHEAF_TRY(take_phrase(term));
    } else {
      SHEAF_TRY(take_word(term));
    }
    if (!is_filter(term) && !has_words(term.text)) {
      if (!has_field && !or_pending_) return {};  // punctuation
      return fail(Errc::invalid_argument,
                  fmt::format("character {} of the query: there are no words to search for in {}", begin + 1,
                              text_.substr(begin, at_ - begin)));
    }
    if (is_filter(term) && term.text.empty())
      return fail(Errc::invalid_argument, fmt::format("character {} of the query: {} needs a value",
                                                      begin + 1, text_.substr(begin, at_ - begin)));
    return add(std::move(term), excluded);
  }

  static bool is_filter(const QueryTerm& term) {
    return term.kind == QueryTerm::Kind::site || term.kind == QueryTerm::Kind::language;
  }

  bool take_field(QueryTerm& term) {
    const auto rest = text_.substr(at_);
    const auto is_field = [&](std::string_view name) {
      return rest.size() > name.size() && base::lower_text(rest.substr(0, name.size())) == name;
    };
    if (is_field("site:")) {
      term.kind = QueryTerm::Kind::site;
    } else if (is_field("lang:")) {
      term.kind = QueryTerm::Kind::language;
    } else if (is_field("title:")) {
      term.in_title = true;
    } else {
      return false;
    }
    at_ += rest.find(':') + 1;
    return true;
  }

  Result<void> take_phrase(QueryTerm& term) {
    const std::size_t begin = at_++;
    const std::size_t end = text_.find('"', at_);
    if (end == std::string_view::npos)
      return fail(Errc::invalid_argument,
                  fmt::format("character {} of the query: this quote is not closed", begin + 1));
    term.text = text_.substr(at_, end - at_);
    if (!is_filter(term)) term.kind = QueryTerm::Kind::phrase;
    at_ = end + 1;
    return {};
  }

  Result<void> take_word(QueryTerm& term) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '"') ++at_;
    std::string_view word = text_.substr(begin, at_ - begin);
    if (is_filter(term)) {
      term.text = word;
      return {};
    }
    const std::size_t star = word.find('*');
    if (star != std::string_view::npos && has_words(word.substr(star)))
      return fail(
          Errc::invalid_argument,
          fmt::format("character {} of the query: * can only end a word, as in config*", begin + star + 1));
    if (star != std::string_view::npos) {
      term.kind = QueryTerm::Kind::prefix;
      word = word.substr(0, star);
    }
    term.text = word;
    return check_length(begin, word);
  }

  static Result<void> check_length(std::size_t begin, std::string_view word) {
    if (word.size() <= kMaxWordLength || has_words(word)) return {};
    return fail(Errc::invalid_argument,
                fmt::format("character {} of the query: words of more than {} bytes are not indexed",
                            begin + 1, kMaxWordLength));
  }

  Result<void> add(QueryTerm term, bool excluded) {
    if (++terms_ > kMaxQueryTerms)
      return fail(Errc::invalid_argument,
                  fmt::format("the query has more than {} words; leave some out", kMaxQueryTerms));
    if (!std::exchange(or_pending_, false)) {
      query_.clauses.push_back({excluded, {std::move(term)}});
      return {};
    }
    if (excluded || query_.clauses.back().excluded)
      return fail(Errc::invalid_argument, "OR cannot join excluded words; exclude each word separately");
    query_.clauses.back().any_of.push_back(std::move(term));
    return {};
  }

  Result<SearchQuery> finish() {
    if (query_.clauses.empty()) return fail(Errc::invalid_argument, "the query has no words to search for");
    if (std::ranges::all_of(query_.clauses, &QueryClause::excluded))
      return fail(Errc::invalid_argument, "the query only excludes words; add a word to search for");
    return std::move(query_);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t terms_ = 0;
  bool or_pending_ = false;
  SearchQuery query_;
};

}  // namespace

Result<SearchQuery> parse_query(std::string_view text) {
  if (text.size() > kMaxQueryBytes)
    return fail(Errc::invalid_argument,
                fmt::format("the query has {} bytes; the limit is {}", text.size(), kMaxQueryBytes));
  return QueryParser(text).run();
}

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
