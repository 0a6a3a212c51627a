#include "sheaf/grep/line_pattern.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::grep {
namespace {

using Texts = std::vector<std::string>;

Texts exact(std::string_view pattern) { return required_texts(pattern, text::LetterCase::exact); }
Texts folded(std::string_view pattern) { return required_texts(pattern, text::LetterCase::ignore_ascii); }

TEST(RequiredText, TheLongestLiteralOfAPattern) {
  EXPECT_EQ(exact("isolation"), Texts{"isolation"});
  EXPECT_EQ(exact("^max_[a-z]+_size$"), Texts{"_size"});
  EXPECT_EQ(exact(R"(\bfoo\.bar\b)"), Texts{"foo.bar"});
  EXPECT_EQ(exact("ab.cde"), Texts{"cde"});
  EXPECT_EQ(exact("(a|b)xyz(?:c)(?P<name>d)"), Texts{"xyz"});
  EXPECT_EQ(exact("[]x]abc[^]y]"), Texts{"abc"});
  EXPECT_EQ(exact("[[:alpha:]x]abc"), Texts{"abc"});
  EXPECT_EQ(exact(R"([\]x]abc(\(|[)])de)"), Texts{"abc"});
}

TEST(RequiredText, OneOfEachAlternative) {
  EXPECT_EQ(exact("alpha|beta gamma"), (Texts{"alpha", "beta gamma"}));
  EXPECT_EQ(exact("alpha|b.c"), Texts{});
  EXPECT_EQ(exact("alpha|"), Texts{});
}

TEST(RequiredText, WhatRepeatsMayBeMissing) {
  EXPECT_EQ(exact("abcd*"), Texts{"abc"});
  EXPECT_EQ(exact("abcd?efg+h"), Texts{"abc"});
  EXPECT_EQ(exact("xyz+a"), Texts{"xyz"});
  EXPECT_EQ(exact("abc{0,3}"), Texts{"ab"});
  EXPECT_EQ(exact("abc{2}defg"), Texts{"defg"});
  EXPECT_EQ(exact("ab{x}"), Texts{"ab{x}"});
  EXPECT_EQ(exact("ab\xc3\xa9?"), Texts{"ab"});
}

TEST(RequiredText, OnlyWhatStandsInJsonAsItIs) {
  EXPECT_EQ(exact("say \"hello\""), Texts{"hello"});
  EXPECT_EQ(exact("src/sheaf/grep"), Texts{"sheaf"});
  EXPECT_EQ(exact("a\tbc"), Texts{"bc"});
  EXPECT_EQ(exact(R"(a\\bc)"), Texts{"bc"});
  EXPECT_EQ(exact("\xe4\xbd\xa0\xe5\xa5\xbd"), Texts{"\xe4\xbd\xa0\xe5\xa5\xbd"});
  EXPECT_EQ(exact("ab\xef\xbf\xbd"), Texts{"ab"});
  EXPECT_EQ(required_texts_of_literal("a.b*c \"d\"", text::LetterCase::exact), Texts{"a.b*c "});
  EXPECT_EQ(required_texts_of_literal("\"", text::LetterCase::exact), Texts{});
}

TEST(RequiredText, LettersWithOtherCasesOutsideAsciiEndAText) {
  EXPECT_EQ(folded("Postgres"), Texts{"tgre"});
  EXPECT_EQ(folded("kernel"), Texts{"ernel"});
  EXPECT_EQ(folded("caf\xc3\xa9"), Texts{"caf"});
  EXPECT_EQ(folded("\xc3\xa9t\xc3\xa9"), Texts{});
}

TEST(RequiredText, GivesUpRatherThanGuess) {
  for (const char* pattern :
       {"", "a", ".*", "(?i)alpha", "alpha(?i)beta", R"(\Qa.b\E)", R"(\x41bc)", R"(\101bc)", R"(\pNabc)",
        "(abc", "[abc", R"(abc\)", R"((\Q)\E)abc)", "[[:alpha", R"(\Aabc)"})
    EXPECT_EQ(exact(pattern), Texts{}) << pattern;
}

}  // namespace
}  // namespace sheaf::grep
