#include "sheaf/grep/line_matcher.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::grep {
namespace {

LinePattern pattern_of(const std::string& text, bool is_fixed = false, bool ignores_case = false) {
  auto pattern = LinePattern::compile({text, is_fixed, ignores_case});
  if (!pattern) throw std::runtime_error(pattern.error().message);
  return std::move(*pattern);
}

/// Each matching line as "headings: text [match]".
std::vector<std::string> lines_of(const std::string& pattern, std::span<const Block> blocks,
                                  SearchedBlocks searched = SearchedBlocks::all) {
  Page page;
  page.url = "https://example.com/a";
  page.content = blocks;
  PageMatches matches;
  std::vector<std::string> lines;
  const bool found = LineMatcher(pattern_of(pattern), searched, MatchDetail::lines).match(page, matches);
  EXPECT_EQ(found, matches.count > 0);
  EXPECT_EQ(matches.count, matches.lines.size());
  for (const MatchedLine& line : matches.lines) {
    std::string path;
    for (const SharedText& heading : line.headings) path += *heading + "/";
    lines.push_back(fmt::format("{} {} {}.{}: {} [{}]", path, line.type, line.block, line.line, line.text,
                                line.text.substr(line.begin, line.end - line.begin)));
  }
  return lines;
}

using Found = std::vector<std::string>;

TEST(LineMatcher, EachLineUnderItsHeadings) {
  const Text items[] = {"one apple", "two pears", "three apples"};
  const Text row[] = {"apple", "red"};
  const List<Text> rows[] = {std::span<const Text>(row)};
  const Block blocks[] = {{TextBlock{"An apple a day."}, {}},
                          {HeadingBlock{1, "Fruit"}, {}},
                          {ListBlock{false, std::span<const Text>(items)}, {}},
                          {HeadingBlock{2, "apple trees"}, {}},
                          {CodeBlock{{}, "plant(tree)\nplant(apple)\n"}, {}},
                          {HeadingBlock{2, "Prices"}, {}},
                          {TableBlock{std::span<const List<Text>>(rows)}, {}}};
  EXPECT_EQ(lines_of("appl[e]", blocks),
            (Found{" text 0.1: An apple a day. [apple]", "Fruit/ list 2.1: one apple [apple]",
                   "Fruit/ list 2.3: three apples [apple]", "Fruit/ heading 3.1: apple trees [apple]",
                   "Fruit/apple trees/ code 4.2: plant(apple) [apple]",
                   "Fruit/Prices/ table 6.1: apple\tred [apple]"}));
  EXPECT_EQ(lines_of("apple", blocks, SearchedBlocks::code),
            Found{"Fruit/apple trees/ code 4.2: plant(apple) [apple]"});
  EXPECT_EQ(lines_of("plant", blocks, SearchedBlocks::text), Found{});
}

TEST(LineMatcher, PatternsSeeOneLineAtATime) {
  const Block blocks[] = {{CodeBlock{{}, "first\nsecond\n\nlast"}, {}}, {TextBlock{"next"}, {}}};
  EXPECT_EQ(lines_of("^s.*d$", blocks), Found{" code 0.2: second [second]"});
  EXPECT_EQ(lines_of("first\\ssecond", blocks), Found{});
  EXPECT_EQ(lines_of("t[^x]+s", blocks), Found{});
  EXPECT_EQ(lines_of("^$", blocks), Found{" code 0.3:  []"});
  EXPECT_EQ(lines_of("last\\s*next", blocks), Found{});
  EXPECT_EQ(lines_of("t$", blocks),
            (Found{" code 0.1: first [t]", " code 0.4: last [t]", " text 1.1: next [t]"}));
  EXPECT_EQ(lines_of("", blocks).size(), 5U);
}

TEST(LineMatcher, CountsLinesOrStopsAtTheFirst) {
  const Block blocks[] = {{CodeBlock{{}, "a\na a\nb"}, {}}};
  Page page;
  page.content = std::span<const Block>(blocks);
  PageMatches counted;
  EXPECT_TRUE(LineMatcher(pattern_of("a"), SearchedBlocks::all, MatchDetail::count).match(page, counted));
  EXPECT_EQ(counted.count, 2U);
  EXPECT_TRUE(counted.lines.empty());
  PageMatches first;
  EXPECT_TRUE(LineMatcher(pattern_of("a"), SearchedBlocks::all, MatchDetail::page).match(page, first));
  EXPECT_EQ(first.count, 1U);
}

TEST(LineMatcher, FixedTextsAndCase) {
  const Block blocks[] = {{TextBlock{"f(x) = [a-z]* \xc3\x89t\xc3\xa9"}, {}}};
  Page page;
  page.content = std::span<const Block>(blocks);
  const auto matches = [&](const std::string& text, bool is_fixed, bool ignores_case) {
    PageMatches found;
    return LineMatcher(pattern_of(text, is_fixed, ignores_case), SearchedBlocks::all, MatchDetail::page)
        .match(page, found);
  };
  EXPECT_TRUE(matches("[a-z]*", true, false));
  EXPECT_FALSE(matches("F(X)", true, false));
  EXPECT_TRUE(matches("F(X)", true, true));
  EXPECT_TRUE(matches("\xc3\xa9t\xc3\x89", false, true));
}

TEST(LinePattern, SaysWhatIsWrongWithAPattern) {
  const auto bad = LinePattern::compile({"(a", false, false});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, base::Errc::invalid_argument);
  EXPECT_EQ(bad.error().message,
            "the pattern is not a valid regular expression: missing ): (a; -F searches for literal text");
  EXPECT_TRUE(LinePattern::compile({"(a", true, false}));
  EXPECT_FALSE(LinePattern::compile({"a\nb", true, false}));
  EXPECT_FALSE(LinePattern::compile({"\xff", false, false}));
  EXPECT_FALSE(LinePattern::compile({"((((a{1000}){1000}){1000}){1000})", false, false}));
}

}  // namespace
}  // namespace sheaf::grep
