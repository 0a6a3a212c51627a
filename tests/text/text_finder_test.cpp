#include "sheaf/text/text_finder.h"

#include "sheaf/base/ascii.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace sheaf::text {
namespace {

std::vector<scan::Level> levels() {
  std::vector<scan::Level> all{scan::Level::portable};
  if (scan::best_level() >= scan::Level::sse2) all.push_back(scan::Level::sse2);
  if (scan::best_level() >= scan::Level::avx2) all.push_back(scan::Level::avx2);
  return all;
}

TEST(TextFinder, FindsWhatStandardFindDoesAtEveryLevel) {
  std::mt19937 random(7);
  const auto any_text = [&](std::size_t size) {
    std::string text(size, ' ');
    for (char& c : text) c = "abABkK \xc3"[random() % 8];
    return text;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::string text = any_text(random() % 200);
    const std::string needle = any_text(random() % 6);
    const std::size_t from = random() % 210;
    const std::string lower_text = base::lower_text(text);
    const std::string lower_needle = base::lower_text(needle);
    for (const scan::Level level : levels()) {
      EXPECT_EQ(TextFinder(needle, LetterCase::exact, level).find(text, from), text.find(needle, from))
          << text << '|' << needle << '|' << from;
      EXPECT_EQ(TextFinder(needle, LetterCase::ignore_ascii, level).find(text, from),
                lower_text.find(lower_needle, from))
          << text << '|' << needle << '|' << from;
    }
  }
}

TEST(TextFinder, ReadsNothingBeyondTheText) {
  // Allocated to size, so that AddressSanitizer notices.
  for (std::size_t size = 0; size < 100; ++size) {
    const std::vector<char> text(size, 'a');
    for (const scan::Level level : levels())
      EXPECT_EQ(TextFinder("aab", LetterCase::exact, level).find({text.data(), text.size()}),
                std::string_view::npos);
  }
}

}  // namespace
}  // namespace sheaf::text
