// Pages: one test for each rule of the readings' table and for each optional field.
#include "sheaf/format/pages/page_decoder.h"

#include "sheaf/format/pages/page_encoder.h"
#include "support/collection_text.h"
#include "support/page_generator.h"
#include "support/reading.h"

#include <gtest/gtest.h>

namespace sheaf::format {
namespace {

using test::decode_page;
using test::DecodedPage;
using test::page_with;
using test::page_with_block;
using test::PageText;

using Codes = std::vector<std::string>;

std::string fatal_of(std::string_view json) {
  const auto decoded = decode_page(json);
  return decoded.fatal ? std::string(to_string(decoded.fatal->code)) : std::string();
}

/// The page of `good` with one member's JSON replaced, or left out where `value` is empty.
std::string page_replacing(std::string_view key, std::string_view value) {
  const std::pair<std::string_view, std::string_view> members[] = {
      {"url", R"("https://example.com/a")"},
      {"title", R"("T")"},
      {"description", R"("D")"},
      {"modified", R"("2026-01-10T12:00:00Z")"},
      {"language", R"("en")"},
      {"content", R"([{"type":"text","text":"ok"}])"}};
  std::string out = "{";
  for (const auto& [name, json] : members) {
    const std::string_view chosen = name == key ? value : json;
    if (chosen.empty()) continue;
    out += (out.size() > 1 ? ",\"" : "\"") + std::string(name) + "\":" + std::string(chosen);
  }
  return out + "}";
}

TEST(SpecPage, ReadsEveryField) {
  const std::string json = page_with(
      R"("author":"Ann","published":"2026-01-01T00:00:00+01:00","canonical":"https://example.com/c",)"
      R"("schema":{ "@type" : "Article" },"robots":["nofollow"],"x":[1, 2])");
  const DecodedPage decoded = decode_page(json);
  ASSERT_TRUE(decoded.is_page());
  EXPECT_EQ(decoded.codes(), Codes());
  EXPECT_EQ(decoded.raw, json);
  const Page& page = decoded.page;
  EXPECT_EQ(page.url, "https://example.com/a");
  EXPECT_EQ(page.title, "A page");
  EXPECT_EQ(page.description, "About");
  EXPECT_EQ(page.author, "Ann");
  EXPECT_EQ(page.published, "2026-01-01T00:00:00+01:00");
  EXPECT_EQ(page.modified, "2026-01-10T12:00:00Z");
  EXPECT_EQ(page.modified_at, parse_time("2026-01-10T12:00:00Z")->instant);
  EXPECT_EQ(page.language, "en");
  EXPECT_EQ(page.canonical, "https://example.com/c");
  EXPECT_EQ(page.schema, R"({ "@type" : "Article" })");
  ASSERT_TRUE(page.robots);
  EXPECT_EQ(page.robots->size(), 1U);
  EXPECT_EQ((*page.robots)[0], "nofollow");
  ASSERT_EQ(page.extra.size(), 1U);
  EXPECT_EQ(page.extra[0].key, "x");
  EXPECT_EQ(page.extra[0].value, "[1, 2]");
  EXPECT_EQ(page.content.size(), 1U);
}

// Readings, table: missing-field, a page lacks url, title, description, modified, language or content.
TEST(SpecPage, MissingFieldIsFatal) {
  for (const std::string_view key : {"url", "title", "description", "modified", "language", "content"}) {
    const auto decoded = decode_page(page_replacing(key, ""));
    ASSERT_TRUE(decoded.fatal) << key;
    EXPECT_EQ(decoded.fatal->code, Code::missing_field) << key;
    EXPECT_EQ(decoded.fatal->line, 2U);
    EXPECT_EQ(decoded.fatal->offset, 100U);
    EXPECT_EQ(decoded.fatal->url, key == "url" ? "" : "https://example.com/a");
    EXPECT_NE(decoded.fatal->message.find(key), std::string::npos);
  }
  EXPECT_EQ(fatal_of("{}"), "missing-field");
}

// Readings, table: wrong-type, one of those has a JSON type the schema does not allow (null counts as wrong).
TEST(SpecPage, WrongTypeIsFatal) {
  for (const std::string_view key : {"url", "title", "description", "modified", "language"})
    for (const std::string_view value :
         {"null", "1", "1.5", "true", "[]", "{}", R"(["x"])", "123456789012345678901234567890"})
      EXPECT_EQ(fatal_of(page_replacing(key, value)), "wrong-type") << key << " " << value;
  for (const std::string_view value : {"null", "1", "false", R"("text")", "{}"})
    EXPECT_EQ(fatal_of(page_replacing("content", value)), "wrong-type") << value;
}

TEST(SpecPage, LinesThatAreNotPages) {
  for (const std::string_view json : {"[]", "1", R"("x")", "null", "true", "[{}]"})
    EXPECT_EQ(fatal_of(json), "not-an-object") << json;
  for (const std::string_view json : {"{", "{]", R"({"a":1,})", "x", R"({"a":01})", "{}{}"})
    EXPECT_EQ(fatal_of(json), "invalid-json") << json;
}

// Every line is checked to be valid JSON, including parts that are not used.
TEST(SpecPage, InvalidJsonInsideUnknownMembersIsFound) {
  for (const std::string_view value :
       {"[1,]", "{\"a\"}", "tru", "01", "1.", R"("\x")", "\"\t\"", "[}", "nul"})
    EXPECT_EQ(fatal_of(page_with("\"x\":" + std::string(value))), "invalid-json") << value;
}

TEST(SpecPage, InvalidUtf8IsReportedWithItsPosition) {
  struct Case {
    std::string_view bytes;
    std::size_t at;  ///< of the first wrong character in it
  };
  const Case cases[] = {{"\xff", 0},
                        {"abc\x80", 3},
                        {"\xc3", 0},
                        {"\xc3\xa9\xc3(", 2},
                        {"\xf0\x9f\x8c\x8d\xff", 4},
                        {"\xf0\x9f\x8c\x8d\xf0\x9f\x8c\x8d\xf0\x9f\x8c", 8},
                        {"\xe6\xbc\xa2\xe5\xad\x97\xed\xa0\x80", 6},
                        {"\xc0\xaf", 0},
                        {"\xf4\x90\x80\x80", 0},
                        {"\x80\x80\x80\x80\x80\x80", 0}};
  for (const Case& c : cases)
    for (const std::size_t before : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{1000}}) {
      const std::string prefix = R"({"t":")" + std::string(before, 'x');
      const auto decoded = decode_page(prefix + std::string(c.bytes) + "\"}");
      ASSERT_TRUE(decoded.fatal);
      EXPECT_EQ(decoded.fatal->code, Code::not_utf8);
      EXPECT_EQ(decoded.fatal->offset, 100 + prefix.size() + c.at)
          << test::describe(*decoded.fatal) << " before " << before;
    }
}

TEST(SheafOnlyPage, MessagesAreUtf8WhateverTheLineHolds) {
  for (std::size_t ascii = 0; ascii < 4; ++ascii) {
    std::string json = R"({"a":)" + std::string(ascii, '!');
    for (int i = 0; i < 60; ++i) json += "\xe6\xbc\xa2";
    const auto decoded = decode_page(json);
    ASSERT_TRUE(decoded.fatal);
    EXPECT_EQ(decoded.fatal->code, Code::invalid_json);
    // A decoder that sees the message inside a page tells whether it is UTF-8.
    std::string quoted;
    const std::string& message = decoded.fatal->message;
    for (const char c : message)
      if (c != '"' && c != '\\') quoted += c;
    EXPECT_TRUE(decode_page(page_with("\"x\":\"" + quoted + "\"")).is_page()) << message;
  }
}

// Readings, table: invalid-url, page url is not an absolute http(s) URL with a host.
TEST(SpecPage, InvalidUrlSkipsThePage) {
  for (const std::string_view url :
       {R"("")", R"("/a")", R"("//example.com/a")", R"("example.com")", R"("ftp://example.com/")",
        R"("http:/example.com")", R"("https://")", R"("https:///a")", R"("https://example.com:99999/")",
        R"("https://a b/")", R"("https://e.com/\\")", R"("https://e.com/\n")", R"(" https://e.com/")",
        R"("javascript:x")", R"("mailto:a@b.c")"}) {
    const auto decoded = decode_page(page_replacing("url", url));
    EXPECT_TRUE(decoded.skipped) << url;
    EXPECT_EQ(decoded.codes(), Codes{"invalid-url"}) << url;
  }
  for (const std::string_view url : {R"("HTTP://EXAMPLE.com")", R"("https://[::1]/")",
                                     R"("https://192.0.2.1:65535/")", R"("https://e.com/\u00e9?x#y")"})
    EXPECT_EQ(decode_page(page_replacing("url", url)).codes(), Codes()) << url;
}

// Readings, table: invalid-modified, modified is not an RFC 3339 time.
TEST(SpecPage, InvalidModifiedSkipsThePage) {
  for (const std::string_view time :
       {R"("")", R"("2026-01-10")", R"("yesterday")", R"("2026-13-01T00:00:00Z")"}) {
    const auto decoded = decode_page(page_replacing("modified", time));
    EXPECT_TRUE(decoded.skipped) << time;
    EXPECT_EQ(decoded.codes(), Codes{"invalid-modified"}) << time;
    EXPECT_EQ(decoded.findings[0].url, "https://example.com/a");
  }
}

// Readings, table: naive-time, a time without an offset: read as UTC.
TEST(SpecPage, NaiveTimesWarn) {
  const auto decoded = decode_page(page_replacing("modified", R"("2026-01-10T12:00:00")"));
  EXPECT_TRUE(decoded.is_page());
  EXPECT_EQ(decoded.codes(), Codes{"naive-time"});
  EXPECT_EQ(decoded.page.modified, "2026-01-10T12:00:00");
  EXPECT_EQ(decode_page(page_with(R"("published":"2026-01-01T00:00:00")")).codes(), Codes{"naive-time"});
  EXPECT_EQ(decode_page(page_with(R"("published":"2026-01-01T00:00:00")")).page.published,
            "2026-01-01T00:00:00");
}

// Readings, table: invalid-language, language does not match the schema's BCP 47 pattern; kept.
TEST(SpecPage, InvalidLanguageWarnsAndIsKept) {
  const std::string json = page_replacing("language", R"("English")");
  const auto decoded = decode_page(json);
  EXPECT_EQ(decoded.codes(), Codes{"invalid-language"});
  EXPECT_EQ(decoded.page.language, "English");
  EXPECT_EQ(decoded.raw, json);
}

// Readings, table: empty-content, content is [] (or every block was dropped): page kept.
TEST(SpecPage, EmptyContentWarns) {
  EXPECT_EQ(decode_page(page_replacing("content", "[]")).codes(), Codes{"empty-content"});
  EXPECT_TRUE(decode_page(page_replacing("content", "[]")).is_page());
  EXPECT_EQ(decode_page(page_replacing("content", "[1]")).codes(),
            (Codes{"malformed-block", "empty-content"}));
}

// Readings, table: too-many-blocks, over 1,000 content blocks.
TEST(SpecPage, ExactlyOneThousandBlocksPass) {
  const auto with_blocks = [](std::size_t count) {
    std::string content = "[";
    for (std::size_t i = 0; i < count; ++i)
      content += (i > 0 ? "," : "") + std::string(R"({"type":"text","text":""})");
    return page_replacing("content", content + "]");
  };
  EXPECT_EQ(decode_page(with_blocks(1000)).codes(), Codes());
  EXPECT_EQ(decode_page(with_blocks(1000)).page.content.size(), 1000U);
  EXPECT_EQ(decode_page(with_blocks(1001)).codes(), Codes{"too-many-blocks"});
  EXPECT_TRUE(decode_page(with_blocks(1001)).skipped);
  Limits limits;
  limits.blocks = 2;
  EXPECT_EQ(decode_page(with_blocks(2), Detail::checks, limits).codes(), Codes());
  EXPECT_EQ(decode_page(with_blocks(3), Detail::checks, limits).codes(), Codes{"too-many-blocks"});
}

// Readings, table: too-deep, JSON nested over 256 deep.
TEST(SpecPage, ExactlyTwoHundredFiftySixLevelsPass) {
  const auto nested = [](std::size_t levels, std::string_view innermost) {  // the page itself is one of them
    return page_with("\"x\":" + std::string(levels - 1, '[') + std::string(innermost) +
                     std::string(levels - 1, ']'));
  };
  for (const std::string_view innermost : {"", "1", R"("x")", "1,2"})
    for (const Detail detail : {Detail::checks, Detail::everything}) {
      const auto at_limit = decode_page(nested(256, innermost), detail);
      EXPECT_EQ(at_limit.codes(), Codes()) << innermost;
      EXPECT_EQ(at_limit.raw, nested(256, innermost));
      EXPECT_EQ(decode_page(nested(257, innermost), detail).codes(), Codes{"too-deep"}) << innermost;
      EXPECT_TRUE(decode_page(nested(257, innermost), detail).skipped);
    }
  std::string objects;
  for (int i = 0; i < 255; ++i) objects += R"({"a":)";
  EXPECT_EQ(decode_page(page_with("\"x\":" + objects + "1" + std::string(255, '}'))).codes(), Codes());
  EXPECT_EQ(decode_page(page_with("\"x\":" + objects + "{}" + std::string(255, '}'))).codes(),
            Codes{"too-deep"});
  EXPECT_EQ(decode_page(nested(100'000, "")).codes(), Codes{"too-deep"});
  for (const std::uint32_t depth : {3U, 8U, 1000U}) {
    Limits limits;
    limits.depth = depth;
    EXPECT_EQ(decode_page(nested(depth, ""), Detail::checks, limits).codes(), Codes()) << depth;
    EXPECT_EQ(decode_page(nested(depth + 1, ""), Detail::checks, limits).codes(), Codes{"too-deep"}) << depth;
  }
}

// Readings, table: noindex, robots contains noindex: page skipped, no warning.
TEST(SpecPage, NoindexSkipsThePage) {
  for (const std::string_view robots :
       {R"(["noindex"])", R"(["nofollow","noindex"])", R"(["NoIndex"])", R"("noindex")",
        R"("noindex, nofollow")", R"([1,"noindex"])", R"(["none"])", R"(["NONE"])"}) {
    const auto decoded = decode_page(page_with("\"robots\":" + std::string(robots)));
    EXPECT_TRUE(decoded.skipped) << robots;
    EXPECT_EQ(decoded.codes(), Codes{"noindex"}) << robots;
  }
  EXPECT_EQ(fatal_of(R"({"robots":["noindex"]})"), "missing-field");
  for (const std::string_view robots : {R"(["x-noindex-x"])", R"(["max-image-preview: none"])"})
    EXPECT_FALSE(decode_page(page_with("\"robots\":" + std::string(robots))).skipped) << robots;
}

// Draft 1: the items of robots are an enumeration, each at most once.
TEST(SpecPages, RobotsHasOnlyTheDirectivesOfTheDrafts) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"(["noarchive","max-image-preview:large"])", R"(["noarchive"])"},
      {R"(["NoArchive"])", R"(["noarchive"])"},
      {R"(["nofollow","nofollow"])", R"(["nofollow"])"},
  };
  for (const auto& [robots, kept] : cases) {
    const auto decoded = decode_page(page_with("\"robots\":" + std::string(robots)));
    EXPECT_EQ(decoded.codes(), Codes{"invalid-field"}) << robots;
    EXPECT_TRUE(decoded.raw.contains("\"robots\":" + std::string(kept))) << decoded.raw;
  }
  EXPECT_FALSE(decode_page(page_with(R"("robots":["index"])")).page.robots);
  const auto all = page_with(R"("robots":["nofollow","noarchive","nosnippet","notranslate","noimageindex"])");
  EXPECT_EQ(decode_page(all).codes(), Codes{});
}

// Readings, "Pages and blocks": unsafe URLs in what is kept as JSON are reported; writers drop them.
TEST(SheafOnlyPage, UnsafeUrlsInKeptJson) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"("schema":{ "@type":"A","url":"javascript:a","image":["data:image/png,x"]})",
       R"("schema":{"@type":"A","image":[]})"},
      {R"("x":{"href":"vbscript: a", "n":1e400})", R"("x":{"n":1e400})"},
      {R"("x":"data:text/html,a","y":[ 1 ])", R"("y":[ 1 ])"},
  };
  for (const auto& [members, cleaned] : cases) {
    const auto decoded = decode_page(page_with(members));
    EXPECT_EQ(decoded.codes(), Codes{"unsafe-url-kept"}) << members;
    EXPECT_EQ(decoded.raw, page_with(members));
    const auto changed = decode_page(page_with(std::string(members) + R"(,"author":5)"));
    EXPECT_TRUE(changed.raw.contains(members)) << changed.raw;
    EXPECT_EQ(decode_page(page_with(members), Detail::checks).codes(), decoded.codes());
    const std::string repaired = test::repaired_text(decoded.page);
    EXPECT_TRUE(repaired.contains(cleaned)) << repaired;
    EXPECT_EQ(decode_page(repaired).codes(), Codes{}) << repaired;
  }
  EXPECT_EQ(decode_page(page_with(R"("schema":{"name":"JavaScript: The Good Parts"})")).codes(), Codes{});
}

// Readings, "Older drafts": robots is kept on the page.
TEST(SpecPage, RobotsIsKept) {
  const auto decoded = decode_page(page_with(R"("robots":["nofollow","noarchive"])"));
  EXPECT_EQ(decoded.codes(), Codes());
  ASSERT_TRUE(decoded.page.robots);
  EXPECT_EQ((*decoded.page.robots)[1], "noarchive");
}

// Readings, table: invalid-field, an optional field has a wrong type or a bad value: the field is dropped.
TEST(SpecPage, BadOptionalFieldsAreDropped) {
  for (const std::string_view field :
       {R"("author":1)", R"("author":null)", R"("author":{})", R"("author":["a"])", R"("published":"then")",
        R"("published":5)", R"("published":null)", R"("canonical":"/a")", R"("canonical":"javascript:x")",
        R"("canonical":"")", R"("canonical":7)", R"("schema":[])", R"("schema":"x")", R"("schema":null)",
        R"("robots":"nofollow")", R"("robots":{})", R"("robots":[1])", R"("robots":null)"}) {
    const auto decoded = decode_page(page_with(field));
    ASSERT_TRUE(decoded.is_page()) << field;
    EXPECT_EQ(decoded.codes(), Codes{"invalid-field"}) << field;
    EXPECT_EQ(decoded.findings[0].url, "https://example.com/a");
    EXPECT_EQ(decoded.raw, PageText().str()) << field;
    const Page& page = decoded.page;
    EXPECT_FALSE(page.author || page.published || page.canonical || page.schema || page.robots) << field;
  }
}

TEST(SheafOnlyPage, TheLastOfRepeatedFieldsCounts) {
  const auto decoded = decode_page(page_with(R"("title":"second","author":1,"author":"Ann")"));
  EXPECT_EQ(decoded.codes(), Codes{"invalid-field"});
  EXPECT_EQ(decoded.page.title, "second");
  EXPECT_EQ(decoded.page.author, "Ann");
  EXPECT_EQ(decode_page(decoded.raw).codes(), Codes());
  EXPECT_EQ(decode_page(decoded.raw).page, decoded.page);
  EXPECT_EQ(fatal_of(page_with(R"("title":null)")), "wrong-type");
}

// Readings: unknown fields are kept in the page as they came and never an error.
TEST(SpecPage, UnknownFieldsAreKeptByteForByte) {
  const std::string unknown =
      R"("x":1.0e+5 ,"\u0079\/\"z" : { "url" : "javascript:x", "a":[ ] } , "x": null,"big":123456789012345678901234567890)";
  const std::string json = page_with(unknown + R"(,"author":5)");
  const auto decoded = decode_page(json);
  EXPECT_EQ(decoded.codes(), (Codes{"invalid-field", "unsafe-url-kept"}));
  ASSERT_EQ(decoded.page.extra.size(), 4U);
  EXPECT_EQ(decoded.page.extra[0].value, "1.0e+5");
  EXPECT_EQ(decoded.page.extra[1].key, R"(\u0079\/\"z)");
  EXPECT_EQ(decoded.page.extra[1].value, R"({ "url" : "javascript:x", "a":[ ] })");
  EXPECT_EQ(decoded.page.extra[2].key, "x");
  EXPECT_EQ(decoded.page.extra[3].value, "123456789012345678901234567890");
  EXPECT_EQ(decode_page(decoded.raw).codes(), Codes{"unsafe-url-kept"});
  EXPECT_EQ(decode_page(decoded.raw).page, decoded.page);
  EXPECT_EQ(decode_page(page_with(unknown)).raw, page_with(unknown));
}

TEST(SheafOnlyPage, LoneSurrogatesBecomeReplacementCharacters) {
  const auto decoded = decode_page(page_with(R"("author":"a\ud800b","x\udc00":1)"));
  EXPECT_EQ(decoded.codes(), Codes{"invalid-field"});
  EXPECT_EQ(decoded.page.author,
            "a\xef\xbf\xbd"
            "b");
  ASSERT_EQ(decoded.page.extra.size(), 1U);
  EXPECT_EQ(decoded.page.extra[0].key, R"(x\ufffd)");
  EXPECT_EQ(decode_page(decoded.raw).codes(), Codes());
  EXPECT_EQ(decode_page(decoded.raw).page, decoded.page);
}

TEST(SheafOnlyPage, HugeNumbersAreReadAndKept) {
  const std::string json =
      page_with(R"("x":[1e999,-1e999,123456789012345678901234567890,-99999999999999999999])");
  const auto decoded = decode_page(json);
  EXPECT_EQ(decoded.codes(), Codes());
  EXPECT_EQ(decoded.raw, json);
  EXPECT_EQ(decoded.page.extra[0].value,
            "[1e999,-1e999,123456789012345678901234567890,-99999999999999999999]");
  const auto heading =
      decode_page(page_with_block(R"({"type":"heading","level":123456789012345678901234567890,"text":""})"));
  EXPECT_EQ(heading.codes(), Codes{"heading-clamped"});
  EXPECT_EQ(std::get<HeadingBlock>(heading.page.content[0].kind).level, 6);
  const auto low = decode_page(page_with_block(R"({"type":"heading","level":-1e999,"text":""})"));
  EXPECT_EQ(std::get<HeadingBlock>(low.page.content[0].kind).level, 1);
}

TEST(SheafOnlyPage, WhitespaceAroundEverythingChangesNothing) {
  const std::string json =
      "  { \"url\" : \"https://example.com/a\" ,\t\"title\":\"T\", \"description\" : \"\" , "
      "\"modified\":\"2026-01-10T12:00:00Z\","
      "\"language\" : \"en\" ,\"content\" : [ { \"type\" : \"text\" , \"text\" : \"\" , \"x\" : 1 } ] }\r";
  const auto decoded = decode_page(json);
  EXPECT_EQ(decoded.codes(), Codes());
  EXPECT_EQ(decoded.raw, json);
  EXPECT_EQ(decoded.page.content[0].extra[0].value, "1");
}

// Readings, "What we write": member order.
TEST(SpecPage, IsWrittenInTheOrderOfTheReadings) {
  const auto decoded = decode_page(
      R"({"z":1,"robots":["noarchive"],"content":[{"text":"t","x":2,"type":"text"}],"schema":{"b":1},"canonical":"https://e.com/","language":"en",)"
      R"("modified":"2026-01-10T12:00:00Z","published":"2026-01-10T12:00:00Z","author":"a","description":"d","title":"\u00e9","url":"https://e.com/"})");
  std::string encoded;
  encode_page(decoded.page, encoded);
  EXPECT_EQ(encoded,
            "{\"url\":\"https://e.com/"
            "\",\"title\":\"\xc3\xa9\",\"description\":\"d\",\"author\":\"a\",\"published\":\"2026-01-10T12:"
            "00:00Z\","
            "\"modified\":\"2026-01-10T12:00:00Z\",\"language\":\"en\",\"canonical\":\"https://e.com/"
            "\",\"schema\":{\"b\":1},"
            "\"content\":[{\"type\":\"text\",\"text\":\"t\",\"x\":2}],\"robots\":[\"noarchive\"],\"z\":1}");
}

TEST(SheafOnlyPage, DecoderIsReusedFromPageToPage) {
  PageDecoder decoder({}, Detail::everything);
  test::PageGenerator generator(77);
  for (int i = 0; i < 300; ++i) {
    std::string json = generator.page();
    if (i % 5 == 0) json = page_with(R"("author":5,"x":{})");
    if (i % 7 == 0) json = page_replacing("url", R"("nowhere")");
    const test::PaddedLine padded(json);
    test::Findings findings;
    const auto outcome = decoder.decode(padded.line(), findings.sink());
    const auto fresh = decode_page(json);
    ASSERT_EQ(outcome.has_value(), !fresh.fatal);
    EXPECT_EQ(findings.codes(), fresh.codes());
    if (!fresh.is_page()) continue;
    EXPECT_EQ(decoder.page(), fresh.page);
    EXPECT_EQ(decoder.raw(), fresh.raw);
    EXPECT_EQ(decoder.raw(), fresh.raw);  // twice the same
  }
}

TEST(SheafOnlyPage, GeneratedPagesSurviveEncoding) {
  test::PageGenerator generator(1234);
  for (int i = 0; i < 1500; ++i) {
    const std::string json = generator.page();
    const auto decoded = decode_page(json);
    ASSERT_TRUE(decoded.is_page()) << json << (decoded.fatal ? test::describe(*decoded.fatal) : "");
    for (const auto& finding : decoded.findings)
      ASSERT_EQ(finding.code, Code::unknown_block) << test::describe(finding) << json;
    EXPECT_EQ(decoded.raw, json);
    std::string encoded;
    encode_page(decoded.page, encoded);
    const auto again = decode_page(encoded);
    ASSERT_TRUE(again.is_page()) << encoded;
    EXPECT_EQ(again.page, decoded.page) << json << "\n" << encoded;
    std::string twice;
    encode_page(again.page, twice);
    EXPECT_EQ(twice, encoded);
  }
}

// A sink always has a function: callers need not check.
TEST(SheafOnlyFindingSink, CanAlwaysBeCalled) {
  const Finding finding{Code::unknown_block, 1, 0, {}, "something"};
  FindingSink()(finding);
  FindingSink(std::function<void(const Finding&)>())(finding);
  int calls = 0;
  FindingSink counting = [&](const Finding&) { ++calls; };
  const FindingSink moved = std::move(counting);
  counting(finding);  // NOLINT(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
  EXPECT_EQ(calls, 0);
  moved(finding);
  EXPECT_EQ(calls, 1);
}

TEST(SheafOnlyFindingSink, EveryWarningMayBeIgnored) {
  PageDecoder decoder({}, Detail::everything);
  for (const std::string& json :
       {page_with_block(R"({"type":"hologram"})"), page_replacing("modified", R"("2026-01-10T12:00:00")"),
        page_replacing("language", R"("en_US!")"), page_replacing("content", "[]"),
        page_with_block(R"({"type":"heading","level":9,"text":"x"})"), page_with(R"("author":5)")}) {
    const auto outcome = decoder.decode(test::PaddedLine(json).line(), {});
    ASSERT_TRUE(outcome) << json;
    EXPECT_EQ(*outcome, PageDecoder::Outcome::page) << json;
  }
}

}  // namespace
}  // namespace sheaf::format
