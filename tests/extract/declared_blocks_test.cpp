// Content that is in structured data and not on the page.
#include "extract/block_dump.h"
#include "sheaf/extract/extract.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

std::string blocks_of(std::string_view json, std::string_view body) {
  Extractor extractor;
  ExtractOptions options;
  options.url = "https://e.org/page";
  const std::string page =
      "<!doctype html><html lang=en><head><title>T</title><script type=\"application/ld+json\">" +
      std::string(json) + "</script></head><body><main>" + std::string(body) + "</main></body></html>";
  return dump_blocks(extractor.extract(page, options).page.content);
}

constexpr std::string_view kFaq = R"({"@context":"https://schema.org","@type":"FAQPage","mainEntity":[
  {"@type":"Question","name":"How long does it last?","acceptedAnswer":{"@type":"Answer","text":"<p>It lasts for ten years or more.</p><p>Some last longer than that.</p>"}},
  {"@type":"Question","name":"What does it cost?","acceptedAnswer":{"@type":"Answer","text":"It costs twelve coins in every shop."}}]})";

TEST(SheafOnlyDeclaredBlocks, AnAnswerBehindAClickFollowsItsQuestion) {
  EXPECT_EQ(
      blocks_of(
          kFaq,
          "<h1>Questions</h1><h2>How long does it last?</h2><h2>What does it cost?</h2><p>It costs twelve "
          "coins in every shop.</p>"),
      "h1 Questions\nh2 How long does it last?\ntext It lasts for ten years or more.\ntext Some last longer "
      "than "
      "that.\nh2 What does it cost?\ntext It costs twelve coins in every shop.\n");
}

TEST(SheafOnlyDeclaredBlocks, QuestionsThatThePageDoesNotShowComeLast) {
  EXPECT_EQ(
      blocks_of(
          kFaq,
          "<h1>Cups</h1><p>All that we know about cups is written on this page, and it is not much.</p>"),
      "h1 Cups\ntext All that we know about cups is written on this page, and it is not much.\n"
      "h2 How long does it last?\ntext It lasts for ten years or more.\ntext Some last longer than that.\n"
      "h2 What does it cost?\ntext It costs twelve coins in every shop.\n");
}

TEST(SheafOnlyDeclaredBlocks, QuestionsOfCustomersAreNotWhatAProductIs) {
  const std::string both = R"({"@graph":[{"@type":"Product","name":"Cup"},)" + std::string(kFaq) + "]}";
  EXPECT_EQ(blocks_of(both, "<h1>Cup</h1><p>A small cup of blue clay, made by hand in the valley.</p>"),
            "h1 Cup\ntext A small cup of blue clay, made by hand in the valley.\n");
}

TEST(SheafOnlyDeclaredBlocks, AProductsDescriptionPriceAndProperties) {
  constexpr std::string_view kProduct =
      R"({"@type":"Product","name":"Cup","description":"A small cup of blue clay, made by hand in the valley and fired twice in the old oven.",
    "offers":{"@type":"Offer","price":12.5,"priceCurrency":"EUR"},
    "additionalProperty":[{"@type":"PropertyValue","name":"Weight","value":"200 g"},{"@type":"PropertyValue","name":"Volume","value":3}]})";
  EXPECT_EQ(blocks_of(kProduct, "<h1>Cup</h1><p>Loading...</p>"),
            "h1 Cup\ntext Loading...\ntext 12.5 EUR\ntext A small cup of blue clay, made by hand in the "
            "valley and fired "
            "twice in the old oven.\ntable Weight ; 200 g / Volume ; 3\n");
  const std::string shown =
      "<h1>Cup</h1><p>A small cup of blue clay, made by hand in the valley and fired twice in the old "
      "oven.</p><table><tr><th>Weight<td>200 g<tr><th>Volume<td>3</table>";
  EXPECT_EQ(
      blocks_of(kProduct, shown),
      "h1 Cup\ntext A small cup of blue clay, made by hand in the valley and fired twice in the old oven.\n"
      "table Weight ; 200 g / Volume ; 3\n");
}

TEST(SheafOnlyDeclaredBlocks, PostsOfAThreadWithAuthorAndTime) {
  const std::string post(420, 'x');
  const std::string json =
      R"({"@type":"DiscussionForumPosting","headline":"Which cup?","author":{"@type":"Person","name":"jane"},"datePublished":"2024-05-01T10:00:00Z","text":"Which cup is best? )" +
      post +
      R"(","comment":[{"@type":"Comment","author":{"name":"joe"},"datePublished":"2024-05-02T11:30:00Z","text":"The blue one, by far.",
      "comment":{"@type":"Comment","author":"ann","text":"I think so too, it is."}}]})";
  EXPECT_EQ(blocks_of(json, "<h1>Which cup?</h1>"),
            "h1 Which cup?\ntext jane, 2024-05-01 10:00\ntext Which cup is best? " + post +
                "\ntext joe, 2024-05-02 11:30\ntext The blue one, by far.\ntext ann\ntext I think so too, it "
                "is.\n");
}

TEST(SheafOnlyDeclaredBlocks, IngredientsAndStepsOfARecipe) {
  constexpr std::string_view kRecipe =
      R"({"@type":"Recipe","name":"Tea","recipeIngredient":["1 cup of water","2 spoons of tea leaves"],
    "recipeInstructions":[{"@type":"HowToSection","name":"Brew","itemListElement":[{"@type":"HowToStep","text":"Boil the water in a pot."},{"@type":"HowToStep","name":"Pour it over the leaves"}]}]})";
  EXPECT_EQ(blocks_of(kRecipe, "<h1>Tea</h1><p>Tea is easy to make.</p>"),
            "h1 Tea\ntext Tea is easy to make.\nlist 1 cup of water / 2 spoons of tea leaves\nh3 Brew\n"
            "ordered Boil the water in a pot. / Pour it over the leaves\n");
  EXPECT_EQ(
      blocks_of(
          kRecipe,
          "<h1>Tea</h1><ul><li>1 cup of water<li>2 spoons of tea leaves</ul><ol><li>Boil the water in a "
          "pot.<li>Pour it over the leaves</ol>"),
      "h1 Tea\nlist 1 cup of water / 2 spoons of tea leaves\nordered Boil the water in a pot. / Pour it over "
      "the "
      "leaves\n");
}

TEST(SheafOnlyDeclaredBlocks, ParagraphsOfAnArticleThatScriptsWouldShow) {
  std::string body;
  std::string expected = "h1 On cups\n";
  for (const std::string_view word : {"Blue", "Red", "Green", "Black", "White"}) {
    const std::string paragraph = std::string(word) +
                                  " cups have been made in this valley for more than a thousand years, "
                                  "and most of them were painted by the same few people.";
    body += (body.empty() ? "" : "\\n\\n") + paragraph;
    expected += "text " + paragraph + "\n";
  }
  EXPECT_EQ(blocks_of(R"({"@type":"NewsArticle","headline":"On cups","articleBody":")" + body + "\"}",
                      "<h1>On cups</h1>"),
            expected);
}

TEST(SheafOnlyDeclaredBlocks, ManyPartsAndDeepRepliesAreBounded) {
  std::string replies = R"({"@type":"Comment","text":"The deepest reply of them all."})";
  for (int i = 0; i < 40; ++i) replies = R"({"@type":"Comment","text":"A reply.","comment":)" + replies + "}";
  std::string parts;
  for (int i = 0; i < 5000; ++i)
    parts += R"({"@type":"Comment","text":"Reply number )" + std::to_string(i) + R"( of many more."},)";
  const std::string json =
      R"({"@type":"DiscussionForumPosting","headline":"T","text":"A","comment":[)" + parts + replies + "]}";
  Extractor extractor;
  ExtractOptions options;
  options.url = "https://e.org/";
  const std::string page =
      "<html><script type=\"application/ld+json\">" + json + "</script><main><h1>T</h1></main>";
  EXPECT_LE(extractor.extract(page, options).page.content.size(), 1000U);
}

}  // namespace
}  // namespace sheaf::extract
