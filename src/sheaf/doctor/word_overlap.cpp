#include "sheaf/doctor/word_overlap.h"

#include "sheaf/base/ascii.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_set>

namespace sheaf::doctor {
namespace {

constexpr std::size_t kFewWords = 5;
constexpr std::size_t kShortWord = 3;  // words up to this length occur everywhere

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::unordered_set<std::string> words_of(std::string_view text) {
  std::unordered_set<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const auto start = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_word_byte);
    const auto end = std::find_if_not(start, text.end(), is_word_byte);
    if (end - start > static_cast<std::ptrdiff_t>(kShortWord)) words.insert(base::lower_text({start, end}));
    at = static_cast<std::size_t>(end - text.begin());
  }
  return words;
}

}  // namespace

double share_of_words(std::string_view text, std::string_view html) {
  const auto wanted = words_of(text);
  if (wanted.size() < kFewWords) return 1;
  const auto there = words_of(html);
  const auto shared =
      std::ranges::count_if(wanted, [&](const std::string& word) { return there.contains(word); });
  return static_cast<double>(shared) / static_cast<double>(wanted.size());
}

}  // namespace sheaf::doctor
