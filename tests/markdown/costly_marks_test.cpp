#include "sheaf/markdown/costly_marks.h"

#include "sheaf/extract/extract.h"
#include "sheaf/markdown/markdown.h"
#include "support/repeat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace sheaf::markdown {
namespace {

using test::repeat;

std::size_t occurrences(std::string_view text, std::string_view piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string_view::npos; at = text.find(piece, at + 1))
    ++count;
  return count;
}

/// The delimiters that the library would visit: all of them for each link.
std::size_t steps(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, ']')) *
         static_cast<std::size_t>(
             std::ranges::count_if(text, [](char c) { return c == '*' || c == '_' || c == '~'; }));
}

TEST(SheafOnlyCostlyMarks, TheStepsOfAParagraphAreBounded) {
  for (const std::string_view piece : {"[a](b) *x* ", "*[a](b)_ ", "~~a *b* [c](d)\n", "1. [a](b) *x*\n",
                                       "    - *[a](b)\n", "> *x* [a](b)\n", "![a](b)*x*", "*[^a] "}) {
    const std::string text = repeat(piece, 30'000);
    std::string hidden;
    ASSERT_TRUE(hide_costly_marks(text, hidden)) << piece;
    EXPECT_GT(steps(text), 800'000'000U) << piece;
    EXPECT_LE(steps(hidden), 3'000'000U) << piece;
    EXPECT_EQ(hidden.size(), text.size()) << piece;
  }
}

TEST(SheafOnlyCostlyMarks, OrdinaryTextIsLeftAlone) {
  std::string hidden;
  for (const std::string& text :
       {repeat("- [name](url) - *what* it does, in `snake_case`\n", 30'000), repeat("*x* [a](b)\n\n", 30'000),
        repeat("*x* ", 30'000), repeat("[a](b) ", 30'000), repeat("*x* [a](b) ", 600),
        repeat("me@example.com ", 500), std::string()})
    EXPECT_FALSE(hide_costly_marks(text, hidden)) << text.substr(0, 40);
}

TEST(SheafOnlyCostlyMarks, LinksStayAndMarksBecomeText) {
  std::string html;
  EXPECT_FALSE(render_markdown(repeat("[a](b_c) *x* ", 20'000), html));
  EXPECT_EQ(occurrences(html, "<a href=\"b_c\">a</a>"), 20'000U);
  EXPECT_LT(occurrences(html, "<em>"), 100U);
  EXPECT_EQ(occurrences(html, "x"), 20'000U);
  EXPECT_EQ(2 * occurrences(html, "<em>") + occurrences(html, "*"), 40'000U);
  EXPECT_EQ(html.find_first_of("\x01\x02\x03\x04"), std::string::npos);
}

TEST(SheafOnlyCostlyMarks, CodeIsAsItIsWritten) {
  const std::string code = repeat("int *p = a_[1];\n", 5'000);
  for (const std::string_view fence : {"```", "~~~", "~~~c"}) {
    std::string html;
    EXPECT_FALSE(
        render_markdown(std::string(fence) + "\n" + code + std::string(fence.substr(0, 3)) + "\n", html));
    EXPECT_EQ(occurrences(html, "int *p = a_[1];\n"), 5'000U) << fence;
    EXPECT_TRUE(html.starts_with("<pre><code")) << html.substr(0, 40);
  }
}

TEST(SheafOnlyCostlyMarks, MailAddressesAreBounded) {
  std::string html;
  EXPECT_FALSE(render_markdown(repeat("a@b.cd ", 20'000), html));
  EXPECT_EQ(occurrences(html, "mailto:"), 100U);
  EXPECT_EQ(occurrences(html, ">a@b.cd</a>") + occurrences(html, " a@b.cd"), 20'000U);
}

TEST(SheafOnlyCostlyMarks, AnExtractionSaysSo) {
  extract::Extractor extractor;
  EXPECT_TRUE(extractor.extract_markdown(repeat("[a](b) *x* ", 20'000), {}).limits.emphasis);
  EXPECT_FALSE(extractor.extract_markdown("[a](b) *x*", {}).limits.any());
}

}  // namespace
}  // namespace sheaf::markdown
