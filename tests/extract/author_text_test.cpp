#include "sheaf/extract/metadata/author_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

std::string joined(std::string_view text, AuthorText kind) {
  std::string all;
  for (const std::string_view name : names_in(text, kind)) {
    if (!all.empty()) all += "|";
    all += name;
  }
  return all;
}

TEST(SheafOnlyAuthorText, NamesOfAField) {
  struct Case {
    std::string_view text;
    std::string_view want;
  };
  constexpr Case kCases[] = {
      {"Jane Doe", "Jane Doe"},
      {"By Jane Doe", "Jane Doe"},
      {"Von J\u00FCrgen M\u00FCller", "J\u00FCrgen M\u00FCller"},
      {"Par Ren\u00E9 Dupont", "Ren\u00E9 Dupont"},
      {"Por Juan P\u00E9rez", "Juan P\u00E9rez"},
      {"di Mario Rossi", "Mario Rossi"},
      {"Written by: Jane Doe", "Jane Doe"},
      {"Autor: Jan Novak", "Jan Novak"},
      {"Jane Doe and John Roe", "Jane Doe|John Roe"},
      {"Jane Doe, John Roe & Max Poe", "Jane Doe|John Roe|Max Poe"},
      {"Anna Eins und Berta Zwei", "Anna Eins|Berta Zwei"},
      {"Jane Doe; John Roe", "Jane Doe|John Roe"},
      {"Jane Doe, Jane Doe", "Jane Doe"},
      {"Jane Doe, Staff Writer", "Jane Doe"},
      {"Jane Doe | The Example Times", "Jane Doe"},
      {"Jane Doe (AFP)", "Jane Doe"},
      {"Jane Doe jane@example.com", "Jane Doe"},
      {"Jane Doe @janedoe", "Jane Doe"},
      {"Jane Doe, March 15, 2021", "Jane Doe"},
      {"Jane Doe on March 15, 2021", "Jane Doe"},
      {"15.03.2021 Jane Doe", "Jane Doe"},
      {"Example Press, Hamburg, Germany", ""},
      {"https://example.com/author/jane", ""},
      {"www.example.com", ""},
      {"jane@example.com", ""},
      {"admin", ""},
      {"Administrator", ""},
      {"12345", ""},
      {"{{author}}", ""},
      {"", ""},
      {",,,;;", ""},
  };
  for (const Case& each : kCases) EXPECT_EQ(joined(each.text, AuthorText::field), each.want) << each.text;
}

TEST(SheafOnlyAuthorText, VisibleTextMustLookLikeNames) {
  EXPECT_EQ(joined("By Jane van der Doe", AuthorText::visible), "Jane van der Doe");
  EXPECT_EQ(joined("janedoe", AuthorText::visible), "janedoe");
  EXPECT_EQ(joined("By the way it rains here", AuthorText::visible), "");
  EXPECT_EQ(joined("Show 3 comments", AuthorText::visible), "");
  EXPECT_EQ(joined("One Two Three Four Five Six Seven", AuthorText::visible), "");
}

TEST(SheafOnlyAuthorText, LabelsAndLeads) {
  EXPECT_TRUE(is_author_label("Written by"));
  EXPECT_TRUE(is_author_label("Verfasst von"));
  EXPECT_TRUE(is_author_label("Autor"));
  EXPECT_FALSE(is_author_label("Est. reading time"));
  EXPECT_FALSE(is_author_label("Published"));
  EXPECT_FALSE(is_author_label(""));
  EXPECT_TRUE(introduces_author("By Jane Doe"));
  EXPECT_FALSE(introduces_author("By"));
  EXPECT_FALSE(introduces_author("Bylaws of the club"));
}

TEST(SheafOnlyAuthorText, HostileTextsAreBounded) {
  EXPECT_EQ(joined(std::string(1U << 20, 'a'), AuthorText::field), "");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "N" + std::string(1, static_cast<char>('A' + i % 26)) + ", ";
  EXPECT_LE(names_in(many, AuthorText::field).size(), 16U);
}

}  // namespace
}  // namespace sheaf::extract
