#include "sheaf/cli/help/suggestion.h"

#include <algorithm>
#include <cstddef>

namespace sheaf::cli {
namespace {

constexpr std::size_t kMaxWordLength = 64;  // longer input is never a misspelt option; the work is quadratic

/// Returns the edit distance. Replaced, inserted and deleted characters and swapped neighbours count as one
/// each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// Returns the only word that starts with `typed`; null if there is none, or more than one.
const std::string* only_word_that_begins(std::string_view typed, const std::vector<std::string>& words) {
  const std::string* found = nullptr;
  for (const std::string& word : words) {
    if (!word.starts_with(typed)) continue;
    if (found != nullptr) return nullptr;
    found = &word;
  }
  return found;
}

}  // namespace

std::optional<std::string> nearest_word(std::string_view typed, const std::vector<std::string>& words) {
  if (typed.empty() || typed.size() > kMaxWordLength) return std::nullopt;
  const std::string* nearest = nullptr;
  std::size_t least = 0;
  for (const std::string& word : words) {
    const std::size_t distance = edit_distance(typed, word);
    const std::size_t most = std::max<std::size_t>(1, std::min(typed.size(), word.size()) / 3);
    if (distance > most || (nearest != nullptr && distance >= least)) continue;
    nearest = &word;
    least = distance;
  }
  if (nearest == nullptr) nearest = only_word_that_begins(typed, words);
  return nearest == nullptr ? std::nullopt : std::optional(*nearest);
}

}  // namespace sheaf::cli
