#include "sheaf/markdown/markdown_dialects.h"

#include "sheaf/markdown/markdown.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::markdown {
namespace {

struct DialectCase {
  const char* name;
  std::string written;
  std::string expected;
};

void PrintTo(const DialectCase& each, std::ostream* out) { *out << each.name; }
std::string name_of(const testing::TestParamInfo<DialectCase>& info) { return info.param.name; }

class Shortcodes : public testing::TestWithParam<DialectCase> {};

TEST_P(Shortcodes, BecomeMarkdown) { EXPECT_EQ(convert_shortcodes(GetParam().written), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Hugo, Shortcodes,
    testing::Values(
        DialectCase{"Paired", "a\n{{% note \"x\" %}}\ninner\n{{% /note %}}\nb", "a\n\ninner\n\nb"},
        DialectCase{"Alone", "a {{< toc >}} b", "a  b"},
        DialectCase{"OverLines", "{{< button\n  href=\"x\"\n>}}text{{< /button >}}", "text"},
        DialectCase{"Figure", "{{< figure src=\"/a b.png\" alt=\"A \\<&\" caption=`It's \"x\"` >}}",
                    "\n\n<figure><img src=\"/a b.png\" alt=\"A \\&lt;&amp;\"><figcaption>It&#39;s "
                    "&quot;x&quot;</figcaption></figure>\n\n"},
        DialectCase{"FigureByPlace", "{{<figure a.png>}}",
                    "\n\n<figure><img src=\"a.png\" alt=\"\"></figure>\n\n"},
        DialectCase{"Video", "{{< youtube id=\"a_b-1\" >}}{{< vimeo 12\"onload >}}",
                    "\n\n<iframe src=\"https://www.youtube.com/embed/a_b-1\"></iframe>\n\n"
                    "\n\n<iframe src=\"https://player.vimeo.com/video/12onload\"></iframe>\n\n"},
        DialectCase{"Listing",
                    "{{< highlight go \"linenos=table\" >}}\nx := `{{ y }}`\n{{< / highlight >}}{{< "
                    "highlight >}}x{{< /highlight >}}",
                    "\n```go\nx := `{{ y }}`\n{{< / highlight >}}{{< highlight >}}x\n```\n"},
        DialectCase{"ListingWithFences", "{{< highlight md >}}\n```\nx\n```\n{{< /highlight >}}",
                    "\n````md\n```\nx\n```\n````\n"},
        DialectCase{"ListingWithoutEnd", "{{< highlight go >}}\nx", "\nx"},
        DialectCase{"Address", "[a]({{< ref \"b.md\" >}})", "[a](about:blank)"},
        DialectCase{"Shown", "{{</* toc */>}}", "{{< toc >}}"},
        DialectCase{"Escaped", R"(\{{< a >}} \\{{< b >}} \{% c %})", R"(\{{< a >}} \\ \{% c %})"},
        DialectCase{"InCode", "`{{< a >}}`\n```\n{{< b >}}{{</* c */>}}\n```\n{{< d >}}.",
                    "`{{< a >}}`\n```\n{{< b >}}{{</* c */>}}\n```\n."},
        DialectCase{"InIndentedFence", "\n    ```\n    {{< b >}}\n    ```\n{{< d >}}.",
                    "\n    ```\n    {{< b >}}\n    ```\n."},
        DialectCase{"WithoutEnd", "{{< a {{% b {{ c {% d", "{{< a {{% b {{ c {% d"},
        DialectCase{"Empty", "{{<>}} {{% %}} {%%}", "{{<>}} {{% %}} {%%}"},
        DialectCase{"TooLong", "{{< a" + std::string(5000, ' ') + ">}}",
                    "{{< a" + std::string(5000, ' ') + ">}}"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Liquid, Shortcodes,
    testing::Values(DialectCase{"Tags", "{% include x.html %}a{% if b %}c{% endif %}", "ac"},
                    DialectCase{"Listing", "{% highlight ruby linenos %}\nputs 1\n{% endhighlight %}\n",
                                "\n```ruby\nputs 1\n```\n\n"},
                    DialectCase{"Raw", "{% raw %}{{< a >}}{% b %}{% endraw %}{% c %}", "{{< a >}}{% b %}"},
                    DialectCase{"Addresses",
                                "[a]({{ site.baseurl }}/a) [b]({{ '/b' | relative_url }}) [c]({{ \"/c\" | "
                                "absolute_url }}) [d]({% link d.md %})",
                                "[a](/a) [b](/b) [c](/c) [d](about:blank)"},
                    DialectCase{"OtherExpressions", "{{ user.name }} {{ a | b }} {{}}",
                                "{{ user.name }} {{ a | b }} {{}}"}),
    name_of);

class Boxes : public testing::TestWithParam<DialectCase> {};

TEST_P(Boxes, BecomeMarkdown) { EXPECT_EQ(convert_admonitions(GetParam().written), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(Headings, Boxes,
                         testing::Values(DialectCase{"Name", "## A b {#a-b}\nc {#d}\n", "## A b\nc {#d}\n"},
                                         DialectCase{"Class", "# A {.x #y}", "# A\n"},
                                         DialectCase{"Kramdown", "# A {: .x}\r\n", "# A\n"},
                                         DialectCase{"Meant", "# A {b}\n# \\{#b}\n# {\n# {}\n",
                                                     "# A {b}\n# \\{#b}\n# {\n# {}\n"}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    Docusaurus, Boxes,
    testing::Values(
        DialectCase{"Plain", "a\n:::note\nb\n:::\nc", "a\n\n**Note**\n\nb\n\nc"},
        DialectCase{"Titles", ":::tip Mine\nb\n:::\n::: tip[My own]{.x}\nb\n:::\n",
                    "\n**Tip: Mine**\n\nb\n\n\n**Tip: My own**\n\nb\n\n"},
        DialectCase{"NoTitles", "::: moniker range=\"x\"\n:::\n:::note{title=\"a\"}\n", "\n\n\n**Note**\n\n"},
        DialectCase{"KindInTitle", ":::warning Warning signs\nb\n:::\n", "\n**Warning signs**\n\nb\n\n"},
        DialectCase{"InCode", "```\n:::note\n```\n", "```\n:::note\n```\n"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    MkDocs, Boxes,
    testing::Values(
        DialectCase{"Titled", "!!! tip \"Read\"\n    a\n\n    b\nc\n", "\n**Tip: Read**\n\na\n\nb\nc\n"},
        DialectCase{"Untitled", "!!! tip\n    a\n", "\n**Tip**\n\na\n"},
        DialectCase{"Folded", "??? note inline \"A\"\n\n    a\n???+ note \"B\"\n    b\n",
                    "\n**Note: A**\n\n\na\n\n**Note: B**\n\nb\n"},
        DialectCase{"Nested", "!!! a \"A\"\n    x\n    === \"Tab\"\n        y\n\n            code\n    z\n",
                    "\nA\n\nx\n\nTab\n\ny\n\n    code\nz\n"},
        DialectCase{"CodeInside", "!!! a \"A\"\n    ```\n    x\nless\n    ```\n    y\nz\n",
                    "\nA\n\n```\nx\nless\n```\ny\nz\n"},
        DialectCase{"NoBody", "!!! a \"A\"\ntext\n", "!!! a \"A\"\ntext\n"},
        DialectCase{"AtTheEnd", "!!! a \"A\"", "!!! a \"A\""}, DialectCase{"Setext", "A\n===\n", "A\n===\n"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(GitHub, Boxes,
                         testing::Values(DialectCase{"Alert", "> [!NOTE]\n> Text.\n",
                                                     "> **Note**\n>\n> Text.\n"},
                                         DialectCase{"NoAlert", "> [!OTHER]\n> Text.\n> [!NOTE] more\n",
                                                     "> [!OTHER]\n> Text.\n> [!NOTE] more\n"}),
                         name_of);

class Definitions : public testing::TestWithParam<DialectCase> {};

TEST_P(Definitions, BecomeElements) {
  EXPECT_EQ(convert_definition_lists(GetParam().written), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Entries, Definitions,
    testing::Values(
        DialectCase{"One", "A\n: b\n", "\n<dl>\n<dt>\n\nA\n\n</dt>\n<dd>\n\nb\n\n</dd>\n</dl>\n\n"},
        DialectCase{"AfterAnEmptyLine", "x\n\nA\n\n:   b\n",
                    "x\n\n\n<dl>\n<dt>\n\nA\n\n</dt>\n<dd>\n\nb\n\n</dd>\n</dl>\n\n"},
        DialectCase{"TermsAndDefinitions", "A\nB\n: c\n: d\n",
                    "\n<dl>\n<dt>\n\nA\n\n</dt>\n<dt>\n\nB\n\n</dt>\n<dd>\n\nc\n\n</dd>\n"
                    "<dd>\n\nd\n\n</dd>\n</dl>\n\n"},
        DialectCase{
            "Body", "A\n:   b\nlazy\n\n    c\n\n    ```\n    : x\n\n    ```\n\nd\n",
            "\n<dl>\n<dt>\n\nA\n\n</dt>\n<dd>\n\nb\nlazy\n\nc\n\n```\n: x\n\n```\n\n</dd>\n</dl>\n\nd\n"},
        DialectCase{"ShallowBody", "A\n: b\n\n  - c\n    - d\n",
                    "\n<dl>\n<dt>\n\nA\n\n</dt>\n<dd>\n\nb\n\n- c\n  - d\n\n</dd>\n</dl>\n\n"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Others, Definitions,
                         testing::Values(DialectCase{"NoTerm", ": a\n\n: b\n", ": a\n\n: b\n"},
                                         DialectCase{"TwoEmptyLines", "A\n\n\n: b\n", "A\n\n\n: b\n"},
                                         DialectCase{"Heading", "# A\n: b\n- c\n: d\n1. e\n: f\n",
                                                     "# A\n: b\n- c\n: d\n1. e\n: f\n"},
                                         DialectCase{"Code", "    A\n    : b\n\n```\nA\n: b\n```\n",
                                                     "    A\n    : b\n\n```\nA\n: b\n```\n"},
                                         DialectCase{"Table", "a | b\n:- | -\n", "a | b\n:- | -\n"},
                                         DialectCase{"NoSpace", "A\n:b\n:\n", "A\n:b\n:\n"}),
                         name_of);

// A megabyte of opening marks must take linear time.
TEST(MarkdownDialects, AreLinear) {
  for (const std::string_view piece :
       {"{{<", "{{< highlight >}}", "{% raw %}", "{{ ", "`{{<", "``` ", "{{</*", "!!! a \"b\"\n    ",
        ":::", "{{< a >", "/highlight", "`", "```\n", "a\n", "a\n: b\n", "\n: b", "a\n\n", "a\n: ```\n"}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    EXPECT_LE(convert_shortcodes(text).size(), 2 * text.size()) << piece;
    EXPECT_LE(convert_admonitions(text).size(), 3 * text.size()) << piece;
    EXPECT_LE(convert_definition_lists(text).size(), 10 * text.size()) << piece;
  }
}

// Closing tags that are not closed, and runs of backticks without a partner.
TEST(MarkdownDialects, AreLinearWithoutPartners) {
  std::string tags = "{% raw %}";
  while (tags.size() < 4'000'000) tags += "{%endraw";
  EXPECT_LE(convert_shortcodes(tags).size(), tags.size());
  std::string ticks = "$a$ ";
  for (std::size_t length = 1; ticks.size() < 8'000'000; ++length) ticks.append(length, '`').append("$ ");
  EXPECT_LE(convert_formulas(ticks).size(), 2 * ticks.size());
}

TEST(MarkdownDialects, AreUndoneBeforeMarkdownIsRead) {
  std::string html;
  render_markdown("!!! tip \"{{% x %}}Read\"\n    **a**\n\n:::\n", html);
  EXPECT_EQ(html, "<p><strong>Tip: Read</strong></p>\n<p><strong>a</strong></p>\n");
}

}  // namespace
}  // namespace sheaf::markdown
