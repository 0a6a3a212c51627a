#include "sheaf/search/word_suggestion.h"

#include "sheaf/base/code_points.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sheaf::search {
namespace {

using base::Result;

// Number of words that are compared for a suggestion, and number of equally similar words whose pages are
// counted.
constexpr std::size_t kMaxLookedAt = 300'000;
constexpr std::size_t kMaxEqual = 50;

/// The known words that are most similar.
Result<std::vector<std::string>> nearest_words(Vocabulary& vocabulary, std::string_view word,
                                               const std::string& start) {
  const std::u32string letters = letters_of(word);
  std::size_t best = most_mistakes(letters.size());
  std::vector<std::string> found;
  std::size_t seen = 0;
  SHEAF_TRY(vocabulary.each_word(start, letters.size(), [&](const std::string& known) {
    const std::size_t distance = edit_distance(letters, letters_of(known), best);
    if (distance < best) found.clear();
    if (distance <= best && found.size() < kMaxEqual) {
      best = distance;
      found.push_back(known);
    }
    return ++seen < kMaxLookedAt;
  }));
  return found;
}

/// Tries words with the same first letter first, because it is rarely mistyped.
Result<std::string> nearest_word(Vocabulary& vocabulary, std::string_view word) {
  if (letters_of(word).size() < 3) return std::string();
  std::string first(word.substr(0, 1));
  if (static_cast<unsigned char>(first[0]) >= 0x80) first.clear();
  for (const std::string& start :
       first.empty() ? std::vector<std::string>{""} : std::vector{first, std::string()}) {
    SHEAF_TRY_ASSIGN(const auto words, nearest_words(vocabulary, word, start));
    std::string found;
    std::uint64_t most = 0;
    for (const std::string& known : words) {
      SHEAF_TRY_ASSIGN(const std::uint64_t pages, vocabulary.pages_with({known, WordKind::word, true, 0, 0}));
      if (pages <= most) continue;
      most = pages;
      found = known;
    }
    if (!found.empty()) return found;
  }
  return std::string();
}

/// The words of a term that no page has, as they were typed.
Result<std::vector<std::pair<std::string, std::string>>> unknown_words(Vocabulary& vocabulary,
                                                                       const QueryTerm& term) {
  std::vector<std::pair<std::string, std::string>> unknown;
  Result<void> outcome;
  WordSplitter().each(term.text, [&](const SearchWord& word) {
    if (!outcome || word.kind != WordKind::word || !word.only_letters) return;
    const auto pages = vocabulary.pages_with(word);
    if (!pages) outcome = std::unexpected(pages.error());
    if (pages && *pages == 0)
      unknown.emplace_back(term.text.substr(word.from, word.to - word.from), std::string(word.text));
  });
  SHEAF_TRY(outcome);
  return unknown;
}

}  // namespace

/// Computes the optimal string alignment distance with three rows of the table at a time.
std::size_t edit_distance(std::u32string_view a, std::u32string_view b, std::size_t most) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > most) return most + 1;
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t k = 0; k <= b.size(); ++k) last[k] = k;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t change = last[k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
      row[k] = std::min({last[k] + 1, row[k - 1] + 1, change});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        row[k] = std::min(row[k], before[k - 2] + 1);
    }
    if (*std::ranges::min_element(row) > most) return most + 1;
    before.swap(last);
    last.swap(row);
  }
  return std::min(last[b.size()], most + 1);
}

std::u32string letters_of(std::string_view word) {
  std::u32string letters;
  while (!word.empty()) letters += base::take_code_point(word);
  return letters;
}

Result<std::string> suggest_query(Vocabulary& vocabulary, const std::string& text, const SearchQuery& query) {
  std::string suggestion = text;
  bool changed = false;
  for (const QueryClause& clause : query.clauses) {
    if (clause.excluded) continue;
    for (const QueryTerm& term : clause.any_of) {
      if (term.kind != QueryTerm::Kind::word && term.kind != QueryTerm::Kind::phrase) continue;
      SHEAF_TRY_ASSIGN(const auto unknown, unknown_words(vocabulary, term));
      for (const auto& [typed, folded] : unknown) {
        SHEAF_TRY_ASSIGN(const std::string better, nearest_word(vocabulary, folded));
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
