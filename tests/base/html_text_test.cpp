#include "sheaf/base/escaping.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::base {
namespace {

constexpr std::string_view kMarkup = "<script>alert('x')&\"</script>";
constexpr std::string_view kEscaped = "&lt;script&gt;alert(&#39;x&#39;)&amp;&quot;&lt;/script&gt;";

std::string visible_html(std::string_view text) {
  std::string out;
  append_visible_html(out, text);
  return out;
}

TEST(HtmlText, MarkupBecomesText) {
  EXPECT_EQ(html_text(kMarkup), kEscaped);
  EXPECT_EQ(visible_html(kMarkup), kEscaped);
}

TEST(HtmlText, OtherBytesStayAsTheyAre) { EXPECT_EQ(html_text("\u202E\x01\n\u00E9"), "\u202E\x01\n\u00E9"); }

TEST(HtmlText, DeceptiveCharactersAreShown) {
  // A right-to-left override, an isolate, NUL, a C1 control, invalid UTF-8.
  for (const std::string& text : {std::string("\u202E"), std::string("\u2066"), std::string("\0", 1),
                                  std::string("\u0085"), std::string("\xFF")})
    EXPECT_EQ(visible_html(text), "\uFFFD");
  EXPECT_EQ(visible_html("\u05D0\u200F \t\n"), "\u05D0\u200F \t\n");
}

}  // namespace
}  // namespace sheaf::base
