#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Splits text into the words that the index holds. Pages, queries and snippets use the same splitter, so that
// a typed word always matches the stored one.
//
// - A word is a run of letters, digits and marks, folded: lower case, compatibility forms resolved, accents
//   of Latin and Greek letters removed.
// - An identifier (snake_case, dotted.name, scope::name, camelCase) gives the whole identifier and then its
//   parts, so that a search finds it by either.
// - Scripts written without spaces (Chinese, Japanese, Korean, Thai and others) give pairs of adjacent
//   characters, and the last character of a run alone. A search for a single character finds the pairs that
//   begin with it.
namespace sheaf::search {

enum class WordKind : std::uint8_t {
  word,        ///< can be stemmed if it has letters only
  identifier,  ///< a whole identifier; its parts follow
  pair,        ///< two characters of a script without spaces
  last,        ///< the last character of such a run
  alone,       ///< a run of one such character
};

struct SearchWord {
  std::string_view text;  ///< folded; valid during the call
  WordKind kind = WordKind::word;
  bool only_letters = false;  ///< has no digits
  std::size_t from = 0;       ///< byte offsets in the source text: [from, to)
  std::size_t to = 0;
};

/// Longer words (hashes, encoded data) are not indexed.
inline constexpr std::size_t kMaxWordLength = 64;

/// Splits texts. Reuses its buffers, so one splitter should be used for many texts. Not thread-safe.
class WordSplitter {
 public:
  using Use = std::function<void(const SearchWord&)>;

  /// Calls `use` with each word, in order. No word spans two texts. Invalid UTF-8 separates words.
  void each(std::string_view text, const Use& use);

 private:
  struct Part {
    std::size_t from = 0;
    std::size_t to = 0;
  };

  void emit_plain_word(std::string_view text, Part part, const Use& use);
  [[nodiscard]] std::size_t end_of_identifier(std::string_view text, std::size_t from);
  void emit_identifier(std::string_view text, std::size_t from, std::size_t to, const Use& use);
  void emit_part(std::string_view text, Part part, const Use& use);
  std::size_t emit_unspaced(std::string_view text, std::size_t from, const Use& use);

  std::string folded_;
  std::string pair_;
};

/// The folded form of a word, as the index has it.
std::string fold_word(std::string_view word);

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
