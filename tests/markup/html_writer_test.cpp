#include "sheaf/markup/html_writer.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

namespace sheaf::markup {
namespace {

TEST(HtmlWriter, TextIsEscaped) {
  HtmlWriter out;
  out.open("p", {{"title", "\"><script>"}}).text("<b>").close();
  EXPECT_EQ(std::move(out).take(), "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;</p>");
}

TEST(HtmlWriter, OnlyWebAddressesBecomeLinks) {
  for (const std::string_view url :
       {"javascript:alert(1)", " javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x",
        "vbscript:x", "file:///etc/passwd", "//evil.example", "http:\\evil", ""}) {
    HtmlWriter out;
    out.web_link(url, "x");
    EXPECT_EQ(std::move(out).take(), "<span>x</span>") << url;
  }
  HtmlWriter out;
  out.web_link("https://a.example/?a=1&b=\"", "x");
  EXPECT_EQ(
      std::move(out).take(),
      "<a href=\"https://a.example/?a=1&amp;b=&quot;\" rel=\"noopener noreferrer nofollow external\">x</a>");
}

TEST(HtmlWriter, OwnPathsCannotBeLeft) {
  const OwnPath path = OwnPath("/page").with("url", "https://a.example/?x=1&y=\"#<\u00E4").with("empty", "");
  EXPECT_EQ(path.text(), "/page?url=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y%3D%22%23%3C%C3%A4");
  EXPECT_EQ(path.with("n", 7).text(), path.text() + "&n=7");
}

TEST(HtmlWriter, ElementsAreClosedInOrder) {
  HtmlWriter out;
  out.open("div").open("br").open("p").text("x");
  EXPECT_EQ(std::move(out).take(), "<div><br><p>x</p></div>");
  HtmlWriter empty;
  empty.close();
  EXPECT_EQ(std::move(empty).take(), "");
}

}  // namespace
}  // namespace sheaf::markup
