#include "sheaf/settings/settings.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace sheaf::settings {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

class SheafOnlySettings : public testing::Test {
 protected:
  Pairs read(std::string_view text, Language language) {
    const ParsedSettings parsed = parse_settings(text, language, arena_);
    problem_ = parsed.problem;
    Pairs pairs;
    for (const Setting& setting : parsed.settings) pairs.emplace_back(setting.name, setting.value);
    return pairs;
  }

  Arena arena_;
  std::optional<Problem> problem_;
};

TEST_F(SheafOnlySettings, TheThreeLanguagesGiveTheSameList) {
  const Pairs expected = {{"Site_URL", "https://e.example"}, {"tags", "a"}, {"tags", "b"}, {"x.y-z", "1"}};
  EXPECT_EQ(read("Site_URL: https://e.example\ntags: [a, 'b']\nx:\n  y-z: 1\n", Language::yaml), expected);
  EXPECT_EQ(read("Site_URL = 'https://e.example'\ntags = ['a', \"b\"]\n[x]\ny-z = 1\n", Language::toml),
            expected);
  EXPECT_EQ(read(R"({"Site_URL": "https://e.example", "tags": ["a", "b"], "x": {"y-z": 1}})", Language::json),
            expected);
  EXPECT_FALSE(problem_);
}

TEST_F(SheafOnlySettings, TagsOfYamlAreIgnored) {
  EXPECT_EQ(read("a: !!python/name:x.y\nb: !ENV [V, d]\nc: !!str 5\n", Language::yaml),
            (Pairs{{"b", "V"}, {"b", "d"}, {"c", "5"}}));
  EXPECT_FALSE(problem_);
}

TEST_F(SheafOnlySettings, SettingsBeforeAProblemCount) {
  EXPECT_EQ(read("a: 1\nb: c: d\n", Language::yaml), (Pairs{{"a", "1"}, {"b", "c"}}));
  ASSERT_TRUE(problem_);
  EXPECT_EQ(problem_->kind, Problem::Kind::invalid);
  EXPECT_EQ(problem_->line, 1U);
}

TEST_F(SheafOnlySettings, SizeIsBounded) {
  EXPECT_TRUE(read(std::string((1U << 20U) + 1, ' '), Language::toml).empty());
  ASSERT_TRUE(problem_);
  EXPECT_EQ(problem_->kind, Problem::Kind::too_long);
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "k" + std::to_string(i) + " = 1\n";
  EXPECT_EQ(read(many, Language::toml).size(), 4096U);
  ASSERT_TRUE(problem_);
  EXPECT_EQ(problem_->kind, Problem::Kind::too_many);
}

// The library calls itself for each part, and would use up the stack.
TEST_F(SheafOnlySettings, KeysOfManyPartsAreRefused) {
  std::string key = "a";
  for (int i = 0; i < 200'000; ++i) key += i % 2 == 0 ? ".a" : ".\"=\"";
  for (const std::string& text : {key + " = 1\n", "[" + key + "]\n", "b = {" + key + " = 1}\n"}) {
    EXPECT_TRUE(read(text, Language::toml).empty());
    ASSERT_TRUE(problem_);
    EXPECT_EQ(problem_->kind, Problem::Kind::too_many);
  }
  const std::string dots(1000, '.');
  const std::string text =
      "a = '" + dots + "' # " + dots + "\nb = \"\\\"" + dots + "\"\nc = \"\"\"\n" + dots + "\"\"\"\n";
  EXPECT_EQ(read(text, Language::toml).size(), 3U);
}

}  // namespace
}  // namespace sheaf::settings
