#include "sheaf/model/field_values.h"

#include <gtest/gtest.h>
#include <regex.h>

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::model {
namespace {

// page.schema.json: language matches ^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-[0-9A-Za-z]+)*$.
TEST(SpecLanguage, FollowsTheSchemasPattern) {
  for (const std::string_view tag : {"en", "eng", "en-US", "zh-Hans", "zh-Hans-CN", "es-419", "de-CH-1996",
                                     "en-us", "sl-rozaj-biske-1994", "en-x-private", "en-0"})
    EXPECT_TRUE(is_language_tag(tag)) << tag;
  for (const std::string_view tag : {"", "e", "engl", "EN", "En", "en-", "-en", "en--US", "en_US", "en US",
                                     "en-US-", "\xc3\xa9n", "en-\xc3\xa9", "x-private", "en\n"})
    EXPECT_FALSE(is_language_tag(tag)) << tag;
}

TEST(SheafOnlyLanguage, AgreesWithThePatternOnRandomTags) {
  // POSIX, not std::regex: the compiler warns of the latter under sanitizers.
  regex_t pattern{};
  ASSERT_EQ(regcomp(&pattern, "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-[0-9A-Za-z]+)*$",
                    REG_EXTENDED | REG_NOSUB),
            0);
  std::mt19937 random(3);
  constexpr std::string_view kLetters = "abzABZ019--_";
  int good = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string tag = i % 2 == 0 ? "en" : "";
    for (std::size_t size = random() % 8; size > 0; --size) tag += kLetters[random() % kLetters.size()];
    const bool expected = regexec(&pattern, tag.c_str(), 0, nullptr, 0) == 0;
    good += expected ? 1 : 0;
    ASSERT_EQ(is_language_tag(tag), expected) << tag;
  }
  regfree(&pattern);
  EXPECT_GT(good, 1000);
}

TEST(Language, TheTagThatWasMeant) {
  const std::vector<std::pair<std::string_view, std::string_view>> rows = {{"en_US", "en-US"},
                                                                           {" EN\t", "en"},
                                                                           {"en_US.UTF-8", "en-US"},
                                                                           {"zh_hant_tw", "zh-Hant-TW"},
                                                                           {"de-CH-1996", "de-CH-1996"},
                                                                           {"en-x-TWAIN", "en-x-twain"},
                                                                           {"", ""},
                                                                           {"English", ""},
                                                                           {"en-", ""},
                                                                           {"utf-8", ""},
                                                                           {"_", ""},
                                                                           {"C", ""},
                                                                           {"en,de", ""}};
  for (const auto& [raw, tag] : rows) EXPECT_EQ(normal_language_tag(raw), tag) << raw;
  EXPECT_EQ(normal_language_tag("en-" + std::string(80, 'x')), "");
}

}  // namespace
}  // namespace sheaf::model
