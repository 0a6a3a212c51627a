#include "sheaf/base/code_points.h"
#include "sheaf/grep/line_matcher.h"
#include "sheaf/grep/line_pattern.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sheaf::grep {
namespace {

RawFilter filter_for(const std::string& pattern, bool ignores_case = false) {
  const auto compiled = LinePattern::compile({pattern, false, ignores_case});
  EXPECT_TRUE(compiled) << compiled.error().message;
  return {compiled->required(), compiled->letters()};
}

TEST(RawFilter, PassesPagesThatMayMatch) {
  const RawFilter filter = filter_for("wide table|narrow");
  EXPECT_TRUE(filter.passes(R"({"text":"a wide table"})"));
  EXPECT_TRUE(filter.passes(R"({"text":"narrow"})"));
  EXPECT_FALSE(filter.passes(R"({"text":"a wide  table, Narrow"})"));
  EXPECT_TRUE(filter_for("narrow", true).passes(R"({"text":"Narrow"})"));
  EXPECT_TRUE(filter_for(".").passes_everything());
}

TEST(RawFilter, EscapesOfItsCharactersPass) {
  const RawFilter filter = filter_for("wide");
  EXPECT_TRUE(filter.passes(R"({"text":"\u0077ide"})"));
  EXPECT_TRUE(filter.passes(R"({"text":"wi\u0064e"})"));
  EXPECT_FALSE(filter.passes(R"({"text":"caf\u00e9 \u003cb\u003e \n \u12"})"));
  EXPECT_FALSE(filter.passes(R"({"text":"\u0057ide"})"));
  EXPECT_TRUE(filter_for("wide", true).passes(R"({"text":"\u0057ide"})"));
  // An emoji is written as two escapes; the first is enough.
  EXPECT_TRUE(filter_for("\xf0\x9f\x98\x80 smile").passes(R"({"text":"\ud83d\ude00 smile"})"));
}

TEST(RawFilter, AScanFindsEachPlace) {
  const RawFilter filter = filter_for("ab|xyz");
  const std::string_view text = "--ab--xyz--ab";
  RawFilter::Scan scan(filter, text);
  EXPECT_EQ(scan.next(0), 2);
  EXPECT_EQ(scan.next(3), 6);
  EXPECT_EQ(scan.next(7), 11);
  EXPECT_EQ(scan.next(12), std::string_view::npos);
}

/// A JSON string in one of the many ways in which it can be written.
std::string any_json(const std::string& text, std::mt19937& random) {
  std::string json = "\"";
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view before = rest;
    const char32_t c = base::take_code_point(rest);
    if (c < 0x10000 && random() % 4 == 0) {
      const auto unit = static_cast<unsigned>(c);
      json += random() % 2 == 0 ? fmt::format("\\u{:04x}", unit) : fmt::format("\\u{:04X}", unit);
    } else if (c == '"' || c == '\\' || (c == '/' && random() % 2 == 0)) {
      json += '\\';
      json += static_cast<char>(c);
    } else {
      json += before.substr(0, before.size() - rest.size());
    }
  }
  return json + "\"";
}

// However a page is written, the filter must not drop it if the pattern matches its text.
TEST(RawFilter, NeverDropsAMatch) {
  std::mt19937 random(11);
  const std::vector<std::string> pieces{"ab",       "s",        "K",    "k",  "\xc5\xbf", "\xe2\x84\xaa",
                                        "\xc3\xa9", "\xc3\x89", "\\\\", "\"", "/",        "a",
                                        "B",        "b",        " ",    "x"};
  const std::vector<std::string> operators{"",  "",    "",     "",     "|",      "*",     "+",       "?",
                                           ".", "^",   "[ab]", "$",    "(ab|x)", "\\b",   "{0,2}",   "\\.",
                                           "{", "\\w", "(a)?", "[^x]", "{2}",    "(?:b)", "[]\\]a]", ")"};
  int matched = 0;
  for (int round = 0; round < 30000; ++round) {
    std::string pattern;
    std::string text;
    for (unsigned i = 0; i < 1 + random() % 5; ++i)
      pattern += pieces[random() % pieces.size()] + operators[random() % operators.size()];
    for (unsigned i = 0; i < random() % 12; ++i) text += pieces[random() % pieces.size()];
    const bool ignores_case = random() % 2 == 0;
    const auto compiled = LinePattern::compile({pattern, false, ignores_case});
    if (!compiled || !compiled->find(text, 0)) continue;
    ++matched;
    const RawFilter filter(compiled->required(), compiled->letters());
    const std::string json = any_json(text, random);
    ASSERT_TRUE(filter.passes(json)) << pattern << " matches " << json
                                     << (ignores_case ? " without case" : "");
    RawFilter::Scan scan(filter, json);
    ASSERT_NE(scan.next(0), std::string_view::npos) << pattern << " matches " << json;
  }
  EXPECT_GT(matched, 1000);
}

}  // namespace
}  // namespace sheaf::grep
