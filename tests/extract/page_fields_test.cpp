#include "sheaf/extract/page_fields.h"

#include "support/repeat.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::extract {
namespace {

using test::repeat;

/// A page of these blocks, filled in; everything lives as long as this.
class Filled {
 public:
  explicit Filled(std::vector<Block> blocks, std::string_view url = {}, Page page = {})
      : blocks_(std::move(blocks)), page_(page) {
    page_.content = std::span<const Block>(blocks_);
    const auto parsed = base::Url::parse(url);
    fill_required_fields(page_, parsed ? &*parsed : nullptr, arena_);
  }
  const Page* operator->() const { return &page_; }

 private:
  std::vector<Block> blocks_;
  Arena arena_;
  Page page_;
};

Block heading(int level, std::string_view text) { return {HeadingBlock{level, text}, {}}; }
Block text(std::string_view text) { return {TextBlock{text}, {}}; }

TEST(SheafOnlyPageFields, ExistingValuesAreKept) {
  Page page;
  page.title = "Title";
  page.description = "Description";
  page.language = "fr";
  const Filled filled({heading(1, "Heading"), text("The paragraph is that of the page and it is English.")},
                      "https://e.org/path", page);
  EXPECT_EQ(filled->title, "Title");
  EXPECT_EQ(filled->description, "Description");
  EXPECT_EQ(filled->language, "fr");
}

TEST(SheafOnlyPageFields, TitleFromTheFirstHeadingOfTheFirstLevel) {
  EXPECT_EQ(Filled({heading(2, "Second"), heading(1, "First"), heading(1, "Other")})->title, "First");
  EXPECT_EQ(Filled({text("Text"), heading(3, "Third"), heading(2, "Second")}, "https://e.org/path")->title,
            "Third");
}

TEST(SheafOnlyPageFields, TitleFromTheUrl) {
  struct {
    std::string_view url;
    std::string_view title;
  } constexpr kCases[] = {
      {"https://e.org/blog/my-first_post.html", "my first post"},
      {"https://e.org/blog/my+post/", "my post"},
      {"https://e.org/a%20b.php", "a b"},
      {"https://e.org/caf%C3%A9", "caf\u00E9"},
      {"https://e.org/x.md?page=2#y", "x"},
      {"https://e.org/100%25-sure", "100% sure"},
      {"https://e.org/", "e.org"},
      {"https://e.org", "e.org"},
      {"https://www.e.org/.html", "www.e.org"},
      // An empty or invalid UTF-8 name is not a title.
      {"https://e.org/%20%20/", "e.org"},
      {"https://e.org/-", "e.org"},
      {"https://e.org/caf%E9", "e.org"},
      {"https://e.org/%FF%FE", "e.org"},
      {"https://e.org/a%0Ab", "a b"},
  };
  for (const auto& each : kCases) EXPECT_EQ(Filled({}, each.url)->title, each.title) << each.url;
}

TEST(SheafOnlyPageFields, NothingKnownNothingMadeUp) {
  const Filled filled({});
  EXPECT_EQ(filled->title, "");
  EXPECT_EQ(filled->description, "");
  EXPECT_EQ(filled->language, "und");
}

TEST(SheafOnlyPageFields, DescriptionFromTheFirstRealParagraph) {
  const std::string real = "A paragraph that is long enough to say what the page is about.";
  EXPECT_EQ(Filled({heading(1, "Heading"), text("By Jane"), text(real), text(real + " More.")})->description,
            real);
  EXPECT_EQ(Filled({text("By Jane"), text("A little longer"), text("Short")})->description,
            "A little longer");
  EXPECT_EQ(Filled({heading(1, "Heading")})->description, "Heading");
  EXPECT_EQ(Filled({}, "https://e.org/some-page")->description, "some page");
}

TEST(SheafOnlyPageFields, DescriptionIsNotATemplateCommand) {
  const std::string call =
      "{{< figure src=\"/img/a-long-name.png\" caption=\"A caption that is long enough\" >}}";
  EXPECT_EQ(Filled({text(call), text("Crabs.")})->description, "Crabs.");
  EXPECT_EQ(Filled({text("{% include a.html %}"), text("Crabs.")})->description, "Crabs.");
  EXPECT_EQ(Filled({heading(1, "Heading"), text(call)})->description, "Heading");
}

TEST(SheafOnlyPageFields, DescriptionFromAQuotationWhereThereIsNoParagraph) {
  const Block quote = {QuoteBlock{"The sea is patient.", {}}, {}};
  EXPECT_EQ(Filled({heading(1, "Heading"), quote})->description, "The sea is patient.");
  EXPECT_EQ(Filled({heading(1, "Heading"), quote, text("Crabs.")})->description, "Crabs.");
}

TEST(SheafOnlyPageFields, DescriptionIsCutAtAWord) {
  const std::string exact = repeat("nine char ", 30);  // 300 with the space at the end
  EXPECT_EQ(Filled({text(exact)})->description, exact);
  EXPECT_EQ(Filled({text(exact + "more")})->description, exact.substr(0, 299) + "\u2026");
  const std::string long_word = "one " + std::string(500, 'x');
  EXPECT_EQ(Filled({text(long_word)})->description, "one " + std::string(296, 'x') + "\u2026");
}

TEST(SheafOnlyPageFields, DescriptionIsCutBetweenCharacters) {
  EXPECT_EQ(Filled({text(repeat("\u6587", 400))})->description, repeat("\u6587", 300) + "\u2026");
  EXPECT_EQ(Filled({text(repeat("\u6587", 300))})->description, repeat("\u6587", 300));
  EXPECT_EQ(Filled({text(repeat("\U0001F600", 301))})->description, repeat("\U0001F600", 300) + "\u2026");
  const std::string words = repeat("\u00FCber\u00E4ll ", 60);  // eight characters each
  EXPECT_EQ(Filled({text(words)})->description, repeat("\u00FCber\u00E4ll ", 36) + "\u00FCber\u00E4ll\u2026");
}

TEST(SheafOnlyPageFields, LanguageFromTheText) {
  constexpr std::string_view kGerman =
      "Das Museum ist eines der \u00E4ltesten und der Eintritt ist f\u00FCr die Kinder nicht frei.";
  EXPECT_EQ(Filled({text(kGerman)})->language, "de");
  EXPECT_EQ(Filled({heading(2, kGerman)})->language, "de");
  const std::vector<std::string_view> items(3, "der Garten und die See");
  EXPECT_EQ(Filled({Block{ListBlock{false, std::span<const std::string_view>(items)}, {}}})->language, "de");
  EXPECT_EQ(Filled({Block{CodeBlock{std::nullopt, kGerman}, {}}})->language, "und");
  EXPECT_EQ(Filled({text("OK")})->language, "und");
}

}  // namespace
}  // namespace sheaf::extract
