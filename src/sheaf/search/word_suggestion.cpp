#include "sheaf/search/word_suggestion.h"

#include "sheaf/base/code_points.h"

#include <algorithm>
#include <vector>

namespace sheaf::search {

/// Optimal string alignment, three rows of the table at a time.
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

}  // namespace sheaf::search
