#include "sheaf/markdown/front_matter.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::markdown {
namespace {

class SheafOnlyFrontMatter : public testing::Test {
 protected:
  FrontMatter read(std::string_view text) {
    text_ = text;
    FrontMatterOptions options;
    options.now = parse_time("2025-01-01T00:00:00Z")->instant;
    options.url = &url_;
    return read_front_matter(text_, options, arena_);
  }
  static std::string time(const std::optional<Instant>& instant) {
    return instant ? format_time(*instant) : "none";
  }

  std::string text_;
  Arena arena_;
  base::Url url_ = *base::Url::parse("https://example.com/docs/page.md");
};

TEST_F(SheafOnlyFrontMatter, SplitsYamlTomlAndJson) {
  const auto yaml = split_front_matter("---\ntitle: x\n---\nbody\n---\nmore");
  EXPECT_EQ(yaml.language, settings::Language::yaml);
  EXPECT_EQ(yaml.settings, "title: x\n");
  EXPECT_EQ(yaml.body, "body\n---\nmore");
  const auto dots = split_front_matter("---  \r\ntitle: x\r\n...\r\nbody");
  EXPECT_EQ(dots.language, settings::Language::yaml);
  EXPECT_EQ(dots.body, "body");
  const auto toml = split_front_matter("+++\ntitle = 'x'\n+++\nbody");
  EXPECT_EQ(toml.language, settings::Language::toml);
  EXPECT_EQ(toml.settings, "title = 'x'\n");
  EXPECT_EQ(toml.body, "body");
  const auto json = split_front_matter("{\n \"title\": \"a } \\\" b\", \"m\": {}\n}\nbody");
  EXPECT_EQ(json.language, settings::Language::json);
  EXPECT_EQ(json.settings, "{\n \"title\": \"a } \\\" b\", \"m\": {}\n}");
  EXPECT_EQ(json.body, "body");
}

TEST_F(SheafOnlyFrontMatter, WhatOnlyLooksLikeItIsBody) {
  for (const std::string_view text :
       {"", "-", "---", "---\n", "---\n\nA rule was drawn.\n\n---\n\nMore.", "----\ntitle: x\n----\n",
        " ---\ntitle: x\n---\n", "{% include x %}\ntext", "{{< note >}}\ntext", "{ \"a\": 1 } and text",
        "+++\nno settings\n+++\n", "{", "{x}", "text\n---\ntitle: x\n---\n"}) {
    const auto parts = split_front_matter(text);
    EXPECT_EQ(parts.language, std::nullopt) << text;
    EXPECT_EQ(parts.body, text);
  }
}

TEST_F(SheafOnlyFrontMatter, EmptyOneIsCutOff) {
  const FrontMatter front = read("---\n---\nbody");
  EXPECT_EQ(front.body, "body");
  EXPECT_TRUE(front.problems.empty());
  EXPECT_FALSE(front.metadata.title);
}

TEST_F(SheafOnlyFrontMatter, AnUnterminatedBlockIsReportedAndTheTextIsKept) {
  for (const std::string_view text :
       {"---\ntitle: x\nbody", "+++\ntitle = 'x'\n", "{\n\"title\": \"x\"\nbody"}) {
    const FrontMatter front = read(text);
    EXPECT_EQ(front.body, text);
    ASSERT_EQ(front.problems.size(), 1U) << text;
    EXPECT_TRUE(
        front.problems[0].starts_with("line 1: front matter begins here and never ends; close it with a "))
        << front.problems[0];
  }
}

TEST_F(SheafOnlyFrontMatter, TheThreeLanguagesSayTheSame) {
  const std::string_view texts[] = {
      "---\ntitle: A \"title\"\ndate: 2024-05-01T10:00:00+02:00\nlastmod: 2024-06-01\nauthors: [Jane Doe, "
      "{name: John Roe}]\n"
      "draft: true\nlang: en_us\ndescription: |\n  Two\n  lines\nlast_update: {date: 2020-01-01}\nnothing: "
      "~\n---\n",
      "+++\ntitle = 'A \"title\"'\ndate = 2024-05-01T10:00:00+02:00\nlastmod = 2024-06-01\n"
      "authors = ['Jane Doe', {name = 'John Roe'}]\ndraft = true\nlang = 'en_us'\ndescription = "
      "'''\nTwo\nlines'''\n"
      "[last_update]\ndate = 2020-01-01\n+++\n",
      "{\"title\":\"A \\\"title\\\"\",\"date\":\"2024-05-01T10:00:00+02:00\",\"lastmod\":\"2024-06-01\","
      "\"authors\":[\"Jane Doe\",{\"name\":\"John "
      "Roe\"}],\"draft\":true,\"lang\":\"en_us\",\"description\":\"Two\\nlines\","
      "\"last_update\":{\"date\":\"2020-01-01\"},\"nothing\":null}\n"};
  for (const std::string_view text : texts) {
    const FrontMatter front = read(text);
    EXPECT_TRUE(front.problems.empty()) << text << front.problems[0];
    EXPECT_EQ(front.metadata.title, "A \"title\"");
    EXPECT_EQ(time(front.metadata.published), "2024-05-01T08:00:00Z");
    EXPECT_EQ(time(front.metadata.modified), "2024-06-01T00:00:00Z");
    EXPECT_EQ(front.metadata.author, "Jane Doe, John Roe");
    EXPECT_EQ(front.metadata.language, "en-US");
    EXPECT_EQ(front.metadata.description, "Two lines");
    EXPECT_FALSE(front.verdict.is_public());
    EXPECT_EQ(front.body, "");
  }
}

TEST_F(SheafOnlyFrontMatter, NamesAreSpelledInManyWays) {
  for (const std::string_view name : {"lastmod", "updated", "updatedDate", "updated_date", "last_modified_at",
                                      "last-modified-at", "Lastmod", "params.lastmod"}) {
    const bool nested = name.starts_with("params.");
    const std::string text = nested ? "---\nparams:\n  lastmod: 2024-03-02\n---\n"
                                    : "---\n" + std::string(name) + ": 2024-03-02\n---\n";
    EXPECT_EQ(time(read(text).metadata.modified), "2024-03-02T00:00:00Z") << name;
  }
  EXPECT_EQ(time(read("---\ndate:\n  created: 2024-01-02\n  updated: 2024-03-04\n---\n").metadata.modified),
            "2024-03-04T00:00:00Z");
  EXPECT_EQ(time(read("---\nlast_update:\n  date: 2024-03-04\n---\n").metadata.modified),
            "2024-03-04T00:00:00Z");
  EXPECT_EQ(read("---\nsummary: S\nexcerpt: E\n---\n").metadata.description, "S");
  EXPECT_EQ(read("---\nexcerpt: E\nsummary: S\ndescription: D\n---\n").metadata.description, "D");
  EXPECT_EQ(read("---\nauthor:\n  name: Jane Doe\n  title: Boss\n---\n").metadata.author, "Jane Doe");
}

TEST_F(SheafOnlyFrontMatter, DatesAsTheToolsWriteThem) {
  const auto published = [this](const std::string& date) {
    return time(read("---\ndate: " + date + "\n---\n").metadata.published);
  };
  EXPECT_EQ(published("2024-05-01"), "2024-05-01T00:00:00Z");
  EXPECT_EQ(published("2024-05-01 10:00:00 +0200"), "2024-05-01T08:00:00Z");
  EXPECT_EQ(published("2024-05-01 10:00"), "2024-05-01T10:00:00Z");
  EXPECT_EQ(published("2024-05-01T10:00:00.5Z"), "2024-05-01T10:00:00.5Z");
  EXPECT_EQ(published("\"May 1, 2024\""), "2024-05-01T00:00:00Z");
  EXPECT_EQ(published("1984-05-01T00:00:00Z"), "1984-05-01T00:00:00Z");
}

TEST_F(SheafOnlyFrontMatter, AnInvalidDateIsReported) {
  const FrontMatter front = read("---\ntitle: x\ndate: soon\n---\nbody");
  EXPECT_FALSE(front.metadata.published);
  ASSERT_EQ(front.problems.size(), 1U);
  EXPECT_EQ(front.problems[0],
            "the front matter's date is \"soon\"; write a date, such as 2024-05-01 or 2024-05-01T10:00:00Z");
  EXPECT_EQ(front.metadata.title, "x");
}

TEST_F(SheafOnlyFrontMatter, WhatIsNotToBePublishedIsHeld) {
  EXPECT_FALSE(read("---\ndraft: yes\n---\n").verdict.is_public());
  EXPECT_FALSE(read("---\npublished: false\n---\n").verdict.is_public());
  EXPECT_FALSE(read("---\ndate: 2025-02-01\n---\n").verdict.is_public());
  EXPECT_FALSE(read("---\ndate: 9999-12-31\n---\n").verdict.is_public());
  EXPECT_FALSE(read("---\nexpiryDate: 2024-02-01\n---\n").verdict.is_public());
  EXPECT_TRUE(read("---\ndraft: false\n---\n").verdict.is_public());
  EXPECT_TRUE(read("---\npublished: true\n---\n").verdict.is_public());
  EXPECT_TRUE(read("---\ndate: 2025-01-01T12:00:00Z\n---\n")
                  .verdict.is_public());  // somewhere it is that day already
  EXPECT_TRUE(read("---\nexpiryDate: 2026-02-01\n---\n").verdict.is_public());
  const FrontMatter dated = read("---\npublished: 2024-02-01\n---\n");
  EXPECT_TRUE(dated.verdict.is_public());
  EXPECT_EQ(time(dated.metadata.published), "2024-02-01T00:00:00Z");
}

TEST_F(SheafOnlyFrontMatter, WhatCannotBeReadHoldsThePageAndNamesTheLine) {
  for (const std::string_view text :
       {"---\ntitle: My: title\ndraft: true\n---\n", "---\n\ttitle: x\n---\n", "---\ntitle: \"x\n---\nbody",
        "+++\ntitle = x\n+++\n", "---\ntitle: x\nbody", "---js\n{}\n---\n", "---\ndraft:true\n---\n",
        "---\rtitle: x\r---\r", "---\nx: &a true\ndraft: *a\n---\n", "---\n<<: *a\n---\n",
        "---\ndraft: maybe\n---\n", "---\ndate: soon\n---\n"}) {
    const FrontMatter front = read(text);
    EXPECT_EQ(front.verdict.hold, visibility::Hold::unreadable) << text;
    EXPECT_FALSE(front.verdict.detail.empty()) << text;
  }
  EXPECT_TRUE(read("\n\n---\ntitle: My: title\n---\n").verdict.detail.starts_with("line 4: "))
      << read("\n\n---\ntitle: My: title\n---\n").verdict.detail;
}

TEST_F(SheafOnlyFrontMatter, FencesOfOtherKinds) {
  EXPECT_EQ(read("---toml\ntitle = 'x'\n---\nbody").metadata.title, "x");
  EXPECT_EQ(read("---json\n{\"title\": \"x\"}\n---\nbody").body, "body");
  EXPECT_EQ(read("\n---\ntitle: x\n---\nbody").body, "body");
  const FrontMatter unfenced = read("Title: x\nDate: 2024-02-01\n\nbody");
  EXPECT_EQ(unfenced.metadata.title, "x");
  EXPECT_EQ(unfenced.body, "body");
  EXPECT_EQ(read("Note: this is text.\n\nbody").body, "Note: this is text.\n\nbody");
}

TEST_F(SheafOnlyFrontMatter, ACascadeHoldsThePagesBelow) {
  const Instant now = parse_time("2025-01-01T00:00:00Z")->instant;
  EXPECT_EQ(judge_cascade("---\ncascade:\n  draft: true\n---\n", now).hold, visibility::Hold::draft);
  EXPECT_EQ(judge_cascade("+++\n[cascade.build]\nrender = 'never'\n+++\n", now).hold,
            visibility::Hold::draft);
  EXPECT_TRUE(judge_cascade("---\ndraft: true\n---\n", now).is_public());
}

TEST_F(SheafOnlyFrontMatter, RobotsAndUrls) {
  const FrontMatter front =
      read("---\nnoindex: true\nrobots: [nofollow, NOINDEX]\ncanonical: /other#x\npermalink: /about/\n---\n");
  ASSERT_TRUE(front.metadata.robots);
  ASSERT_EQ(front.metadata.robots->size(), 2U);
  EXPECT_EQ((*front.metadata.robots)[0], "nofollow");
  EXPECT_EQ((*front.metadata.robots)[1], "noindex");
  EXPECT_EQ(front.metadata.canonical, "https://example.com/other");
  EXPECT_EQ(front.permalink, "/about/");
  EXPECT_EQ(read("---\nslug: a\nurl: /b/\npermalink: /c/\n---\n").permalink, "/b/");
  EXPECT_FALSE(read("---\npermalink: /:year/:title/\n---\n").permalink);
  EXPECT_EQ(read("---\ncanonicalURL: 'javascript:x'\n---\n").problems.size(), 1U);
}

TEST_F(SheafOnlyFrontMatter, AFaultIsReportedWithItsLineAndTheBodyIsKept) {
  const FrontMatter yaml = read("---\ntitle: fine\ndescription: a: b: c\n---\nbody");
  ASSERT_EQ(yaml.problems.size(), 1U);
  EXPECT_TRUE(yaml.problems[0].starts_with(
      "line 3: the front matter is not valid YAML: mapping values are not allowed"))
      << yaml.problems[0];
  EXPECT_EQ(yaml.metadata.title, "fine");  // what came before the fault counts
  EXPECT_EQ(yaml.body, "body");
  const FrontMatter toml = read("+++\ntitle = 'fine'\nbroken = = 1\n+++\nbody");
  ASSERT_EQ(toml.problems.size(), 1U);
  EXPECT_TRUE(toml.problems[0].starts_with("line 3: the front matter is not valid TOML: "))
      << toml.problems[0];
  EXPECT_EQ(toml.body, "body");
  const FrontMatter json = read("{\n\"title\": \"x\",,\n}\nbody");
  ASSERT_EQ(json.problems.size(), 1U);
  EXPECT_TRUE(json.problems[0].starts_with("line 1: the front matter is not valid JSON: "))
      << json.problems[0];
  EXPECT_EQ(json.body, "body");
}

TEST_F(SheafOnlyFrontMatter, BrokenTimesInTomlAreFaults) {
  for (const std::string date :
       {"2024-05-01Tx", "2024-05-01T", "2024-05-01 x", "2024-05-01T10", "2024-13-01", "10:x"})
    EXPECT_EQ(read("+++\ndate = " + date + "\n+++\n").problems.size(), 1U) << date;
}

TEST_F(SheafOnlyFrontMatter, LettersOutsideQuotesInTomlAreFaults) {
  EXPECT_EQ(read("+++\ntitle = '\u00e4'\n+++\n").metadata.title, "\u00e4");
  EXPECT_EQ(read("+++\n\u00e4 = 1\n+++\n").problems.size(), 1U);
  EXPECT_EQ(read("+++\nx = \u00e4\n+++\n").problems.size(), 1U);
}

TEST_F(SheafOnlyFrontMatter, AliasesDoNotMultiply) {
  std::string text = "---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 9; ++k) text += ", " + before;
    text += "]\n";
  }
  text += "title: " + std::string("kept") + "\nauthor: *a29\n---\nbody";
  const FrontMatter front = read(text);
  EXPECT_TRUE(front.problems.empty());
  EXPECT_EQ(front.metadata.title, "kept");
  EXPECT_FALSE(front.metadata.author);
}

TEST_F(SheafOnlyFrontMatter, DepthAndNumberAreBounded) {
  const std::string deep(100'000, '[');
  EXPECT_EQ(read("---\ntitle: kept\nx: " + deep + "\n---\n").problems.size(), 1U);
  EXPECT_EQ(read("---\ntitle: kept\nx: " + deep + "\n---\n").metadata.title, "kept");
  EXPECT_EQ(read("+++\nx = " + deep + "\n+++\n").problems.size(), 1U);
  EXPECT_EQ(read("{\"x\": " + deep + "}\n").problems.size(), 1U);
  std::string many = "---\n";
  for (int i = 0; i < 5000; ++i) many += "k" + std::to_string(i) + ": v\n";
  const FrontMatter front = read(many + "---\nbody");
  ASSERT_EQ(front.problems.size(), 1U);
  EXPECT_EQ(front.problems[0], "line 2: the front matter has over 4096 settings; the rest is ignored");
  const FrontMatter large = read("---\ntitle: " + std::string(2U << 20U, 'x') + "\n---\nbody");
  ASSERT_EQ(large.problems.size(), 1U);
  EXPECT_EQ(large.body, "body");
}

TEST_F(SheafOnlyFrontMatter, DeepNamesDoNotReachTheFields) {
  const FrontMatter front =
      read("---\na:\n  b:\n    c:\n      title: deep\n    title: deep\n  title: deep\ntitle: mine\n---\n");
  EXPECT_EQ(front.metadata.title, "mine");
}

TEST_F(SheafOnlyFrontMatter, BytesThatAreNotTextAreAFault) {
  const FrontMatter front = read(std::string("---\ntitle: a\x01") + "b\n---\nbody");
  EXPECT_EQ(front.problems.size(), 1U);
  EXPECT_EQ(front.body, "body");
}

}  // namespace
}  // namespace sheaf::markdown
