#pragma once

#include "sheaf/search/search_words.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::search {

/// Makes index terms of the words of one language: "configurations" and "configured" become one term. Words
/// with digits, identifiers and scripts without spaces stay as they are, and so does every word of a language
/// without a stemmer. Remembers what it has stemmed; one thread at a time.
class TermStemmer {
 public:
  /// `language` is a BCP 47 tag; only its first part counts.
  explicit TermStemmer(std::string_view language);
  ~TermStemmer();
  TermStemmer(TermStemmer&&) noexcept;
  TermStemmer& operator=(TermStemmer&&) noexcept;

  /// The term of a word, valid until the next call.
  [[nodiscard]] std::string_view term_of(const SearchWord& word);
  [[nodiscard]] bool has_rules() const;
  /// Hands over the words that it met for the first time, or had forgotten, since the last call.
  [[nodiscard]] std::vector<std::string> take_new_words();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The stemmers of the languages met so far.
class StemmerSet {
 public:
  StemmerSet();
  ~StemmerSet();
  StemmerSet(const StemmerSet&) = delete;
  StemmerSet& operator=(const StemmerSet&) = delete;

  /// Lives as long as the set.
  TermStemmer& of(std::string_view language);

 private:
  struct ByLanguage;
  std::unique_ptr<ByLanguage> stemmers_;
};

/// "en" of "en-US", in lower case; empty where there is no language. At most eight letters, as BCP 47 has it.
std::string primary_language(std::string_view tag);

}  // namespace sheaf::search
