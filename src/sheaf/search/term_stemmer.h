#pragma once

#include "sheaf/search/search_words.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::search {

/// Makes index terms from the words of one language: "configurations" and "configured" become one term. Words
/// with digits, identifiers, scripts without spaces and all words of a language without a stemmer are not
/// changed. Caches stems. Not thread-safe.
class TermStemmer {
 public:
  /// `language` is a BCP 47 tag; only its primary subtag counts.
  explicit TermStemmer(std::string_view language);
  ~TermStemmer();
  TermStemmer(TermStemmer&&) noexcept;
  TermStemmer& operator=(TermStemmer&&) noexcept;

  /// The term of a word, valid until the next call.
  [[nodiscard]] std::string_view term_of(const SearchWord& word);
  [[nodiscard]] bool has_rules() const;
  /// Returns the words that were stemmed since the last call and were new, or had been dropped from the
  /// cache.
  [[nodiscard]] std::vector<std::string> take_new_words();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The stemmers of all languages used so far.
class StemmerSet {
 public:
  StemmerSet();
  ~StemmerSet();
  StemmerSet(const StemmerSet&) = delete;
  StemmerSet& operator=(const StemmerSet&) = delete;

  /// The result is valid as long as the set.
  TermStemmer& of(std::string_view language);

 private:
  struct ByLanguage;
  std::unique_ptr<ByLanguage> stemmers_;
};

/// Returns "en" for "en-US", in lower case; empty if there is no language, or if it has more than the eight
/// letters of BCP 47.
std::string primary_language(std::string_view tag);

}  // namespace sheaf::search
