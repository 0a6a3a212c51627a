#include "hostile_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace sheaf::growth {
namespace {

using Shapes = std::vector<Shape>;

/// Units that some parser treats in a special way.
constexpr std::string_view kUnits[] = {
    "a", " ",   "\n", "a ", "a\n",   "a:b\r\n", "a=b;",         "a=\"b\", ", "\"", "\\",
    "[", "{",   "(",  "<",  "<a",    "</",      "&a",           "*",         "_",  "`",
    "#", "../", "/",  "%",  "%41",   "\xff",    "\xe6\xbc\xa2", "0",         ".",  "-",
    ",", "\t",  "\r", ">",  "| a |", "- a\n",   "\x1b$B"};

Shapes html_shapes(const std::string& front) {
  Shapes shapes;
  for (const std::string_view unit : {"<div>",
                                      "<p>",
                                      "<b>",
                                      "<b><p>",
                                      "<i><b></i>",
                                      "<a href=x>",
                                      "<table>",
                                      "<table><tr><td>",
                                      "<tr>",
                                      "<td>x",
                                      "<li>",
                                      "<ul><li>",
                                      "<dl><dt>",
                                      "</p>",
                                      "</x>",
                                      "<br>",
                                      "<!--",
                                      "<!-- x -->",
                                      "<script>",
                                      "<style>a{}</style>",
                                      "<svg>",
                                      "<svg><g>",
                                      "<template>",
                                      "<select><option>",
                                      "<h1>x</h1>",
                                      "<h2>a<p>b",
                                      "<img src=x alt=y>",
                                      "<meta name=a content=b>",
                                      "<link rel=x href=y>",
                                      "<form>",
                                      "<nobr>",
                                      "&amp",
                                      "&lt;",
                                      "<p>a b c.</p>",
                                      "<span>x</span>",
                                      "<pre>x\n",
                                      "<code>x",
                                      "<font size=1>",
                                      "<details><summary>",
                                      "<math><mi>",
                                      "<blockquote>",
                                      "<time datetime=2026-01-01>",
                                      "x<br>y ",
                                      "<script type=\"application/ld+json\">{\"@type\":\"Article\"}</script>",
                                      "<a href=\"/x\">text</a> ",
                                      "<section><h2>t</h2>"})
    shapes.push_back({front, std::string(unit)});
  shapes.push_back({front, "<div>", "</div>"});
  shapes.push_back({front, "<table><tr><td>", "</table>"});
  shapes.push_back({front + "<p ", "a ", "", ">"});
  shapes.push_back({front + "<p ", "a='b' ", "", ">"});
  shapes.push_back({front + "<p class='", "a ", "", "'>x"});
  shapes.push_back({front + "<p style='", "a:b;", "", "'>x"});
  shapes.push_back({front + "<a href='", "../", "", "'>x"});
  shapes.push_back({front + "<title>", "a ", "", "</title>"});
  shapes.push_back({front + "<p>", "word ", "", "</p>"});
  shapes.push_back({front + "<p>", "word", "", "</p>"});
  shapes.push_back({front + "<pre>", " ", "", "</pre>"});
  shapes.push_back({front + "<script type='application/ld+json'>", "[", "]", "</script>"});
  shapes.push_back({front + "<script type='application/ld+json'>[", "{\"@type\":\"Article\",\"@id\":\"a\"},",
                    "", "{}]</script>"});
  shapes.push_back({front + "<script type='application/ld+json'>{\"a\":\"", "\\", "", "\"}</script>"});
  shapes.push_back({front + "<meta name=robots content='", "a,", "", "'>"});
  shapes.push_back({front + "<body>", "<script></script>", "<div>a</div>", ""});
  shapes.push_back({front + "<style>", ".a{display:none}", "", "</style><p class=a>x"});
  return shapes;
}

Shapes json_shapes(const std::string& front, const std::string& back) {
  Shapes shapes;
  for (const std::string_view unit :
       {"\"a\":1,", "\"a\":[", "\"a\":{", "\"a\":\"b\",", "\"a\":\"javascript:b\","})
    shapes.push_back({front, std::string(unit), "", "\"z\":0" + back});
  shapes.push_back({front + "\"a\":", "[", "]", back});
  shapes.push_back({front + "\"a\":", "{\"a\":", "}", back});
  shapes.push_back({front + "\"a\":\"", "\\n", "", "\"" + back});
  shapes.push_back({front + "\"a\":\"", "\\ud83d", "", "\"" + back});
  shapes.push_back({front + "\"a\":[", "1e999,", "", "0]" + back});
  shapes.push_back({front + "\"a\":", "9", "", back});
  return shapes;
}

const std::string kPage =
    R"({"url":"https://example.com/","title":"t","description":"","modified":"2026-01-01T00:00:00Z","language":"en",)";
const std::string kHead =
    R"({"collection":{"id":"a","section":"a","type":"delta","generated":"2026-01-01T00:00:00Z","since":"2025-01-01T00:00:00Z","version":"0.1")";

Shapes page_shapes(const std::string& before) {
  Shapes shapes = json_shapes(before + kPage + R"("content":[],)", "}");
  const auto content = [&](const std::string& front, const std::string& unit, const std::string& back) {
    shapes.push_back({before + kPage + "\"content\":[" + front, unit, "", back + "]}"});
  };
  content("", R"({"type":"text","text":"a"},)", "0");
  content("", R"({"type":"a","x":1},)", "0");
  content("", R"({"type":"text","text":"a","x":1},)", "0");
  content("", "0,", "0");
  content(R"({"type":"text","text":")", "a ", "\"}");
  content(R"({"type":"text",)", "\"x\":1,", R"("text":"t"})");
  content(R"({"type":"text","text":"aaaaaaaa","inline":[)", R"({"from":0,"to":9,"kind":"code"},)", "0]}");
  content(R"({"type":"text","text":"aaaaaaaa","inline":[)", R"({"from":0,"to":8,"kind":"code"},)",
          R"({"from":0,"to":1,"kind":"code"}]})");
  content(R"({"type":"list","ordered":true,"items":[)", "\"a\",", "\"b\"]}");
  content(R"({"type":"table","rows":[)", "[\"a\"],", "[]]}");
  content(R"({"type":"video","name":"n","url":[)", R"({"href":"https://a.b/c","mediaType":"d","x":1},)",
          R"({"href":"x","mediaType":"d"}]})");
  content(R"({"type":"video","title":"n","sources":[)", R"({"url":"https://a.b/c","format":"d"},)",
          R"({"url":"x"}]})");
  content(R"({"type":"video","name":"n","url":"https://a.b","captions":[)",
          R"({"language":"a","url":"https://b.c","label":"d"},)",
          R"({"language":"a","url":"x","label":"d"}]})");
  content(R"({"type":"audio","name":"n","url":"https://a.b","attributedTo":{)", "\"a\":\"javascript:b\",",
          "\"b\":1}}");
  shapes.push_back({before + kPage + "\"content\":[],\"robots\":[", "\"a\",", "", "\"b\"]}"});
  shapes.push_back({before + kPage + "\"content\":[],\"robots\":[", "\"noarchive\",", "", "\"b\"]}"});
  return shapes;
}

Shapes collection_shapes() {
  Shapes shapes = page_shapes(kHead + "}}\n");
  shapes.push_back({kHead + "}}\n", kPage + "\"content\":[]}\n"});
  shapes.push_back({kHead + "}}\n", "\n"});
  shapes.push_back({kHead + "}}\n", " \n"});
  for (Shape& shape : json_shapes(kHead + ",", "}}\n")) shapes.push_back(shape);
  shapes.push_back({kHead + R"(,"removed":[)", "\"https://a.b/\",", "", "0]}}\n"});
  return shapes;
}

Shapes warc_shapes() {
  Shapes shapes;
  for (const std::string_view unit :
       {"WARC/1.0\n", "WARC/1.0\r\n", "WARC/1.0\r", "WARC/1.0\r\n\r\n", "WARC/1.0\r\nA: b\r\n", "WARC/",
        "\nWARC/1.0 ", "WARC/1.0\r\nContent-Length: 0\r\n\r\n", "WARC/1.0\r\nContent-Length: 9\r\n\r\n",
        "WARC/1.0\r\nContent-Length: 100000\r\n\r\n", "WARC/1.0\r\nContent-Length: 99999999999\r\n\r\n",
        "WARC/1.0\r\nContent-Length: x\r\n\r\n", "x\n\nWARC/1.0\nContent-Length:3\n\nabc"})
    shapes.push_back({"", std::string(unit)});
  const std::string record = "WARC/1.0\r\nWARC-Type: response\r\n";
  shapes.push_back({"WARC/1.0\r\n", "A: b\r\n"});
  shapes.push_back({"WARC/1.0\r\nA: b\r\n", " c\r\n", "", "Content-Length: 0\r\n\r\n"});
  shapes.push_back({"WARC/1.0\r\nA: ", "b", "", "\r\nContent-Length: 0\r\n\r\n"});
  shapes.push_back({record + "Content-Length: 1000000\r\n\r\nHTTP/1.1 200 OK\r\n", "A: b\r\n"});
  shapes.push_back({record + "Content-Length: 1000000\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n", " c\r\n"});
  shapes.push_back(
      {record + "Content-Length: 1000000\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
       "1\r\na\r\n"});
  shapes.push_back({record + "Content-Length: 1000000\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: ", "gzip,",
                    "", "\r\n\r\n"});
  return shapes;
}

Shapes sitemap_shapes() {
  const std::string set =
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
      "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\">";
  Shapes shapes;
  for (const std::string_view unit :
       {"<url><loc>https://a.b/</loc></url>", "<url>", "<a>", "<a/>", "<!-- a -->", "<?a b?>", "&amp;",
        "<![CDATA[a]]>", "<scp:section><scp:name>a</scp:name></scp:section>", "<loc>"})
    shapes.push_back({set, std::string(unit), "", "</urlset>"});
  shapes.push_back({set, "<a>", "</a>", "</urlset>"});
  shapes.push_back({set + "<a ", "b='c' ", "", "/></urlset>"});
  shapes.push_back({set + "<a b='", "c", "", "'/></urlset>"});
  shapes.push_back({set + "<url><loc>https://a.b/", "c", "", "</loc></url></urlset>"});
  shapes.push_back({"<urlset ", "xmlns:a='b' ", "", "/>"});
  shapes.push_back({"<sitemapindex>", "<sitemap><loc>https://a.b/</loc></sitemap>", "", "</sitemapindex>"});
  return shapes;
}

Shapes markdown_shapes(const std::string& front) {
  Shapes shapes;
  for (const std::string_view unit :
       {"# a\n",     "- a\n",    "  - a\n",      "> ",      ">\n",    "1. a\n",    "| a ",     "|-",
        "[a](b) ",   "[a]: b\n", "[a",           "](",      "![",     "**a",       "*a_ ",     "`a",
        "~~a",       "<b>",      "<!--",         "a\n\n",   "\\",     "&amp;",     "```\na\n", "---\n",
        "[^a]: b\n", "[^a]",     "https://a.b ", "www.a.b", "a@b.c ", "- [ ] a\n", "\ta\n"})
    shapes.push_back({front, std::string(unit)});
  shapes.push_back({front + "|a|\n|-|\n", "|a", "", "|\n"});
  shapes.push_back({front, "- ", "", "a"});
  return shapes;
}

Shapes robots_shapes() {
  return {{"", "User-agent: *\n"},
          {"", "Disallow: /\n"},
          {"User-agent: *\n", "Disallow: /a\n"},
          {"", "Sitemap: https://a.b/\n"},
          {"User-agent: *\nDisallow: /", "*", "", "a$\n"},
          {"User-agent: *\nDisallow: /", "*a", "", "$\n"},
          {"User-agent: ", "a", "", "\n"},
          {"", "User-agent: *\nDisallow: /a*b\n"}};
}

Shapes state_shapes() {
  return {{"", "a=", "", "1"},
          {"", "{a:[", "]}"},
          {"", "f(", ")"},
          {"", "(function(a){return a", "}(1))"},
          {"(function(a,b){return [", "a,", "", "]}('x y',1))"},
          {"[[1,2],", "[1,0],", "", "'a b']"},
          {"[[1],", "{\"a\":1},", "", "\"a b\"]"},
          {"[{\"_1\":2},", "\"a b\",", "", "1]"},
          {"", "self.__next_f.push([1,\"1:T2,ab\"]);"},
          {"", "self.__next_f.push([1,\"1:[\\\"$2\\\"]\\n\"]);"},
          {"{", "\"A:1\":{\"__ref\":\"A:1\"},", "", "}"},
          {"", "\"[\\\"", "]\""},
          {"[", "\"<a <a &amp; \",", "", "]"},
          {"[", "{\"type\":\"li\",\"children\":[", "]}", "]"},
          {"{\"x\":\"a b\",", "\"body\":\"<><><><> long enough to be a text of some size\",", "", "}"}};
}

Shapes special_shapes(std::string_view parser) {
  const auto is = [&](auto... names) { return ((parser == names) || ...); };
  if (is("html")) return html_shapes(std::string(1, '\1'));
  if (is("extract")) return html_shapes(std::string(1, '\1'));
  if (is("state")) return state_shapes();
  if (is("blocks")) return html_shapes(std::string("\x3f\x01", 2));
  if (is("markdown")) {
    Shapes shapes = markdown_shapes("");
    for (Shape& shape : html_shapes("")) shapes.push_back(shape);
    shapes.push_back({"---\n", "a: b\n", "", "---\n"});
    shapes.push_back({"---\n", "a: &a [b]\n", "", "---\n"});
    shapes.push_back({"---\na: ", "[", "]", "\n---\n"});
    return shapes;
  }
  if (is("page_decoder")) return page_shapes("");
  if (is("head_decoder")) return json_shapes(kHead + ",", "}}");
  if (is("reader_plain")) return collection_shapes();
  if (is("json_text", "control_message", "mcp_message", "feed_cursor", "site_usage", "key_directory"))
    return json_shapes("{", "}");
  if (is("warc", "warc_default")) return warc_shapes();
  if (is("sitemap", "sitemap_merge", "site_walk", "s3_response", "feed")) return sitemap_shapes();
  if (is("robots")) return robots_shapes();
  if (is("encoding"))
    return {{std::string(2, '\0'), "a"}, {std::string("\5\3"), "\xe4"}, {std::string("\x10\2"), "\x1b$B"}};
  if (is("http_request"))
    return {{"aGET / HTTP/1.1\r\n", "A: b\r\n", "", "\r\n"},
            {"aGET / HTTP/1.1\r\nA: ", "b", "", "\r\n\r\n"},
            {"aGET /", "a", "", " HTTP/1.1\r\n\r\n"},
            {"a", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"}};
  return {};
}

}  // namespace

std::string Shape::of_size(std::size_t bytes) const {
  const std::size_t ends = front.size() + back.size();
  const std::size_t each = unit.size() + close.size();
  const std::size_t count = std::max<std::size_t>(1, (std::max(bytes, ends) - ends) / each);
  std::string text = front;
  text.reserve(bytes + ends + each);
  for (std::size_t i = 0; i < count; ++i) text += unit;
  if (!close.empty())
    for (std::size_t i = 0; i < count; ++i) text += close;
  return text + back;
}

std::string Shape::name() const {
  const auto shown = [](const std::string& text) {
    std::string out;
    for (const char c : text)
      out += std::isprint(static_cast<unsigned char>(c)) != 0
                 ? std::string(1, c)
                 : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return out.size() > 60 ? "..." + out.substr(out.size() - 57) : out;
  };
  return fmt::format("{} ({})* ({})* {}", shown(front), shown(unit), shown(close), shown(back));
}

Shapes shapes_for(std::string_view parser) {
  Shapes shapes = special_shapes(parser);
  for (const std::string_view unit : kUnits) shapes.push_back({"", std::string(unit)});
  return shapes;
}

Shapes text_shapes() {
  Shapes shapes;
  for (const std::string_view unit : {"a", "a ", " ", "\n", "a\n\n", "`", "*", "|", "<b>", "\\",
                                      "\xe6\xbc\xa2", "a. ", "# ", "&", "\"", "-", "[a](b)"})
    shapes.push_back({"", std::string(unit)});
  return shapes;
}

}  // namespace sheaf::growth
