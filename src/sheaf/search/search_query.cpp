#include "sheaf/search/search_query.h"

#include "sheaf/base/ascii.h"
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

}  // namespace sheaf::search
