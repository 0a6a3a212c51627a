#include "sheaf/extract/metadata/json_ld.h"

#include "sheaf/base/url.h"
#include "sheaf/extract/metadata/json_repair.h"
#include "sheaf/extract/outline/declared_page.h"

#include <gtest/gtest.h>

#include <sheaf/arena.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::extract {
namespace {

class SheafOnlyJsonLd : public testing::Test {
 protected:
  JsonLdFacts read_all(const std::vector<std::string_view>& blocks) {
    return read_json_ld(blocks, &*url_, arena_);
  }
  JsonLdFacts read(std::string_view block) { return read_all({block}); }

  Arena arena_;
  std::optional<base::Url> url_ = base::Url::parse("https://example.com/a");
};

TEST(SheafOnlyJsonRepair, PutsRightWhatIsBeyondDoubt) {
  struct Case {
    std::string_view script;
    std::string_view want;
  };
  constexpr Case kCases[] = {
      {R"({"a": 1})", R"({"a":1})"},
      {"\n<!-- {\"a\": 1} -->", R"({"a":1})"},
      {"//<![CDATA[\n{\"a\": [1, 2]}\n//]]>", R"({"a":[1,2]})"},
      {R"({"a":1};)", R"({"a":1})"},
      {R"({"a":1}{"b":2})", R"({"a":1})"},
      {R"({"a":[1,2,],})", R"({"a":[1,2]})"},
      {"{\"a\":\"one\ntwo\t\"}", R"({"a":"one two "})"},
      {R"({"a":"it\'s"})", R"({"a":"it's"})"},
      {R"({"a":"} ] \" ,]"})", R"({"a":"} ] \" ,]"})"},
  };
  std::string out;
  for (const Case& each : kCases) {
    EXPECT_TRUE(repair_json(each.script, 8, out)) << each.script;
    EXPECT_EQ(out, each.want);
  }
  for (const std::string_view script : {"", "none", "{\"a\":1", "{\"a", "[[[[[[[[[1]]]]]]]]]", "{\"a\":\"\\"})
    EXPECT_FALSE(repair_json(script, 8, out)) << script;
}

TEST_F(SheafOnlyJsonLd, TheTextThatThingsDeclare) {
  EXPECT_EQ(read(R"({"@type":"Article","articleBody":"One &amp; two"})").declared_text, "One & two");
  EXPECT_EQ(read(R"({"@type":"DiscussionForumPosting","text":"A question"})").declared_text, "A question");
  EXPECT_EQ(read(R"({"@type":"Recipe","recipeIngredient":["flour","eggs"],
    "recipeInstructions":[{"@type":"HowToStep","text":"Mix."},{"@type":"HowToStep","name":"Then","text":"Bake."}]})")
                .declared_text,
            "flour\neggs\nMix.\nThen\nBake.");
  EXPECT_EQ(read(R"({"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Why?",
    "acceptedAnswer":{"@type":"Answer","text":"<p>Because.</p>"}}]})")
                .declared_text,
            "Why?\nBecause.");
  EXPECT_EQ(read(R"({"@type":"Product","name":"Mug","description":"Of clay"})").declared_text, "Of clay");
  EXPECT_EQ(read(R"({"@type":"NewsArticle","description":"A summary"})").declared_text, std::nullopt);
}

TEST_F(SheafOnlyJsonLd, DeclaredPageKinds) {
  EXPECT_EQ(read(R"({"@type":"NewsArticle","author":{"@type":"Organization","name":"A"}})").kinds,
            kDeclaredArticle);
  EXPECT_EQ(read(R"({"@graph":[{"@type":"WebPage"},{"@type":["Product","Thing"]}]})").kinds,
            kDeclaredPage | kDeclaredProduct);
  EXPECT_EQ(read(R"({"@type":"https://schema.org/QAPage"})").kinds, kDeclaredForum);
  EXPECT_EQ(read(R"({"@type":"Thing"})").kinds, 0U);
}

TEST_F(SheafOnlyJsonLd, ReadsAnArticle) {
  const JsonLdFacts facts =
      read(R"({"@context":"https://schema.org","@type":"NewsArticle","headline":"A &amp; B",
    "description":"<p>Short <b>text</b></p>","author":{"@type":"Person","name":"Jane Doe"},
    "datePublished":"2021-03-15","dateModified":"2021-03-16","inLanguage":"en-US",
    "publisher":{"@type":"Organization","name":"The Times"}})");
  EXPECT_EQ(facts.headline, "A & B");
  EXPECT_EQ(facts.description, "Short text");
  ASSERT_EQ(facts.authors.size(), 1U);
  EXPECT_EQ(facts.authors[0], "Jane Doe");
  EXPECT_EQ(facts.published, "2021-03-15");
  EXPECT_EQ(facts.modified, "2021-03-16");
  EXPECT_EQ(facts.language, "en-US");
  EXPECT_EQ(facts.site_name, "The Times");
}

TEST_F(SheafOnlyJsonLd, ResolvesReferencesInAGraph) {
  const JsonLdFacts facts = read(R"({"@context":"https://schema.org","@graph":[
    {"@type":"WebSite","name":"Example Blog"},
    {"@type":"Article","headline":"Title","author":[{"@id":"#jane"},{"@id":"#nobody"},"John Roe"]},
    {"@type":"Person","@id":"#jane","name":"Jane Doe"}]})");
  ASSERT_EQ(facts.authors.size(), 2U);
  EXPECT_EQ(facts.authors[0], "Jane Doe");
  EXPECT_EQ(facts.authors[1], "John Roe");
  EXPECT_EQ(facts.site_name, "Example Blog");
}

TEST_F(SheafOnlyJsonLd, TheMainEntityIsTheSchema) {
  EXPECT_EQ(read_all({R"({"@context":"https://schema.org","@type":"BreadcrumbList"})",
                      R"([{"@context":"http://schema.org/","@type":"Organization","name":"O"},
                      {"@context":"http://schema.org/","@type":"Recipe","name":"Cake"}])"})
                .schema,
            R"({"@context":"http://schema.org/","@type":"Recipe","name":"Cake"})");
  EXPECT_EQ(read(R"({"@context":{"@vocab":"https://schema.org/"},"@graph":[{"@type":"WebPage"},
                     {"@type":"Product","name":"P"}]})")
                .schema,
            R"({"@context":{"@vocab":"https://schema.org/"},"@type":"Product","name":"P"})");
  EXPECT_EQ(read(R"({"@type":"Article","headline":"H"})").schema,
            R"({"@context":"https://schema.org","@type":"Article","headline":"H"})");
  EXPECT_EQ(read(R"({"@type":"WebPage","mainEntity":{"@type":"Article","headline":"Inner"}})").headline,
            "Inner");
}

TEST_F(SheafOnlyJsonLd, OfSeveralArticlesThePagesOwn) {
  const JsonLdFacts facts = read(R"([{"@type":"Article","headline":"Other","url":"https://example.com/b"},
    {"@type":"Article","headline":"Own","mainEntityOfPage":{"@id":"http://example.com/a#x"}}])");
  EXPECT_EQ(facts.headline, "Own");
}

TEST_F(SheafOnlyJsonLd, TheNameOfASiteOrListIsNotATitle) {
  const JsonLdFacts facts =
      read(R"([{"@type":"WebSite","name":"Site"},{"@type":"BreadcrumbList","name":"B"}])");
  EXPECT_EQ(facts.headline, std::nullopt);
  EXPECT_EQ(facts.site_name, "Site");
}

TEST_F(SheafOnlyJsonLd, VideosAndRecordings) {
  const JsonLdFacts facts =
      read(R"({"@type":"Article","headline":"H","video":[{"@type":"VideoObject","name":"V",
    "contentUrl":"/v.mp4","embedUrl":"javascript:run","thumbnailUrl":["https://example.com/t.jpg"],
    "duration":"PT5M","transcript":"words"},{"@type":"http://schema.org/AudioObject","duration":"long"}]})");
  ASSERT_EQ(facts.media.size(), 2U);
  EXPECT_EQ(facts.media[0].kind, MediaObject::Kind::video);
  EXPECT_EQ(facts.media[0].name, "V");
  EXPECT_EQ(facts.media[0].content_url, "https://example.com/v.mp4");
  EXPECT_EQ(facts.media[0].embed_url, std::nullopt);
  EXPECT_EQ(facts.media[0].thumbnail_url, "https://example.com/t.jpg");
  EXPECT_EQ(facts.media[0].duration, "PT5M");
  EXPECT_EQ(facts.media[0].transcript, "words");
  EXPECT_EQ(facts.media[1].kind, MediaObject::Kind::audio);
  EXPECT_EQ(facts.media[1].duration, std::nullopt);
  EXPECT_EQ(facts.headline, "H");
}

TEST_F(SheafOnlyJsonLd, DurationsInTheFormOfTheDrafts) {
  const JsonLdFacts facts = read(R"([{"@type":"VideoObject","duration":"P0Y0M0DT0H5M20S"},
    {"@type":"VideoObject","duration":"P1DT5M"},{"@type":"VideoObject","duration":"5:20"},
    {"@type":"VideoObject","duration":320}])");
  ASSERT_EQ(facts.media.size(), 4U);
  EXPECT_EQ(facts.media[0].duration, "PT0H5M20S");
  for (const std::size_t i : {1U, 2U, 3U}) EXPECT_EQ(facts.media[i].duration, std::nullopt);
}

TEST_F(SheafOnlyJsonLd, InvalidJsonIsSkipped) {
  for (const std::string_view block :
       {"", "var x = 1;", "{\"@type\": Article}", "{'@type':'Article'}", "[]", "{}", "[1,2]",
        "{\"@type\":7,\"headline\":\"x\"}", "{\"@type\":\"Article\""}) {
    const JsonLdFacts facts = read(block);
    EXPECT_EQ(facts.headline, std::nullopt) << block;
    EXPECT_EQ(facts.schema, std::nullopt) << block;
  }
  EXPECT_EQ(read_all({"rubbish {", R"({"@type":"Article","headline":"Good"})"}).headline, "Good");
}

TEST_F(SheafOnlyJsonLd, WrongTypesOfMembersAreAbsent) {
  const JsonLdFacts facts =
      read(R"({"@type":"Article","headline":{"x":1},"description":7,"author":[7,null,{}],
    "datePublished":null,"inLanguage":{"@type":"Language","name":"de"}})");
  EXPECT_EQ(facts.headline, std::nullopt);
  EXPECT_EQ(facts.description, std::nullopt);
  EXPECT_TRUE(facts.authors.empty());
  EXPECT_EQ(facts.published, std::nullopt);
  EXPECT_EQ(facts.language, "de");
}

TEST_F(SheafOnlyJsonLd, HostileSizesAreBounded) {
  std::string deep = R"({"@type":"Article","headline":"Deep","x":)";
  deep += std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_EQ(read(deep).headline, std::nullopt);

  std::string large = R"({"@type":"Article","headline":")" + std::string(5U << 20, 'x') + "\"}";
  EXPECT_EQ(read(large).schema, std::nullopt);

  const std::string_view one = R"({"@type":"VideoObject","name":"V"})";
  const std::vector<std::string_view> thousand(1000, one);
  EXPECT_EQ(read_all(thousand).media.size(), 64U);

  std::string authors = R"({"@type":"Article","author":[)";
  for (int i = 0; i < 10'000; ++i) authors += "{\"@id\":\"#x\"},\"A" + std::to_string(i) + "\",";
  authors += "]}";
  EXPECT_EQ(read(authors).authors.size(), 32U);
}

}  // namespace
}  // namespace sheaf::extract
