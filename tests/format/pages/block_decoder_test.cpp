// Content blocks: each kind with each missing or mistyped field.
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/pages/page_decoder.h"
#include "support/collection_text.h"
#include "support/page_generator.h"
#include "support/reading.h"

#include <gtest/gtest.h>

#include <random>

namespace sheaf::format {
namespace {

using test::decode_block;
using test::decode_page;
using test::DecodedPage;
using test::page_with_block;

using Codes = std::vector<std::string>;

template <class Kind>
const Kind& kind_of(const DecodedPage& decoded) {
  return std::get<Kind>(decoded.page.content[0].kind);
}

/// A block's members with one replaced by other JSON, or left out where that is empty.
std::string block_replacing(std::string_view block, std::string_view key, std::string_view value) {
  std::string out = "{";
  RawObject members(block);
  RawMember member;
  while (members.next(member)) {
    const std::string_view chosen = member.key == key ? value : member.value;
    if (chosen.empty()) continue;
    out += (out.size() > 1 ? ",\"" : "\"") + std::string(member.key) + "\":" + std::string(chosen);
  }
  return out + "}";
}

// A second href could stand where another reader looks first.
TEST(SheafOnlyBlocks, ADuplicateNameInsideMediaIsReportedAndRemovedFromTheLine) {
  for (
      const std::string_view block :
      {R"({"type":"video","name":"v","url":[{"href":"javascript:1","href":"https://e.com/v","mediaType":"video/mp4"}]})",
       R"({"type":"video","name":"v","url":"https://e.com/v","captions":[{"language":"en","url":"javascript:1","url":"https://e.com/c","label":"L"}]})"}) {
    const auto decoded = decode_block(block);
    ASSERT_TRUE(decoded.is_page());
    EXPECT_EQ(decoded.codes(), Codes({"invalid-field"})) << block;
    EXPECT_EQ(decoded.raw.find("javascript"), std::string::npos) << decoded.raw;
    EXPECT_NE(decoded.raw.find("https://e.com/"), std::string::npos) << decoded.raw;
  }
}

TEST(SpecBlocks, TypedViewsOfAllElevenKinds) {
  test::PageText text;
  text.content =
      R"([{"type":"text","text":"t"},{"type":"heading","level":3,"text":"h"},)"
      R"({"type":"link","url":"https://e.com/l","text":"l","rel":["a","b"]},{"type":"image","url":"https://e.com/i","alt":"i"},)"
      R"({"type":"list","ordered":true,"items":["x","y"]},{"type":"code","language":"c","code":"int"},)"
      R"({"type":"table","rows":[["1","2"],[]]},{"type":"quote","text":"q","citation":"c"},)"
      R"({"type":"video","name":"v","url":[{"href":"https://e.com/v","mediaType":"video/mp4","rel":"alternate","x":1}],"duration":"PT1M","width":640,"height":480.0,)"
      R"("icon":{"type":"Image","url":"https://e.com/p","y":2},"summary":"s","captions":[{"language":"en","url":"https://e.com/c","label":"L","z":3}],)"
      R"("chapters":[{"time":9,"title":"T","w":4}],"transcript":"tr"},)"
      R"({"type":"audio","name":"a","url":"https://e.com/a","attributedTo":"at","partOf":"po"},)"
      R"({"type":"structured","format":"json-ld","data":{ "k" : [] }}])";
  const auto decoded = decode_page(text.str());
  ASSERT_TRUE(decoded.is_page());
  EXPECT_EQ(decoded.codes(), Codes());
  const auto& blocks = decoded.page.content;
  ASSERT_EQ(blocks.size(), 11U);
  EXPECT_EQ(std::get<TextBlock>(blocks[0].kind).text, "t");
  EXPECT_EQ(std::get<HeadingBlock>(blocks[1].kind), (HeadingBlock{3, "h"}));
  const auto& link = std::get<LinkBlock>(blocks[2].kind);
  EXPECT_EQ(link.url, "https://e.com/l");
  EXPECT_EQ(link.text, "l");
  ASSERT_TRUE(link.rel);
  EXPECT_EQ((*link.rel)[1], "b");
  EXPECT_EQ(std::get<ImageBlock>(blocks[3].kind), (ImageBlock{"https://e.com/i", "i"}));
  EXPECT_TRUE(std::get<ListBlock>(blocks[4].kind).ordered);
  EXPECT_EQ(std::get<ListBlock>(blocks[4].kind).items[1], "y");
  EXPECT_EQ(std::get<CodeBlock>(blocks[5].kind), (CodeBlock{"c", "int"}));
  const auto& rows = std::get<TableBlock>(blocks[6].kind).rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0][1], "2");
  EXPECT_TRUE(rows[1].empty());
  EXPECT_EQ(std::get<QuoteBlock>(blocks[7].kind), (QuoteBlock{"q", "c"}));
  const Media& video = *std::get<VideoBlock>(blocks[8].kind).media;
  EXPECT_EQ(video.name, "v");
  const auto& video_links = std::get<List<MediaLink>>(video.url);
  ASSERT_EQ(video_links.size(), 1U);
  EXPECT_EQ(video_links[0].href, "https://e.com/v");
  EXPECT_EQ(video_links[0].media_type, "video/mp4");
  EXPECT_EQ(video_links[0].rel, "alternate");
  EXPECT_EQ(video_links[0].extra[0].value, "1");
  EXPECT_EQ(video.duration, "PT1M");
  EXPECT_EQ(video.width, 640U);
  EXPECT_EQ(video.height, 480U);
  EXPECT_EQ(video.icon_url, "https://e.com/p");
  EXPECT_EQ(video.icon_extra[0].key, "y");
  EXPECT_EQ(video.summary, "s");
  EXPECT_EQ((*video.captions)[0].label, "L");
  EXPECT_EQ((*video.captions)[0].extra[0].value, "3");
  EXPECT_EQ((*video.chapters)[0].time, 9U);
  EXPECT_EQ((*video.chapters)[0].extra[0].value, "4");
  EXPECT_EQ(video.transcript, "tr");
  const Media& audio = *std::get<AudioBlock>(blocks[9].kind).media;
  EXPECT_EQ(std::get<Text>(audio.url), "https://e.com/a");
  EXPECT_EQ(audio.attributed_to, "at");
  EXPECT_EQ(audio.part_of, "po");
  EXPECT_EQ(std::get<StructuredBlock>(blocks[10].kind), (StructuredBlock{"json-ld", R"({ "k" : [] })"}));
}

struct RequiredField {
  std::string_view block;  ///< a good one
  std::string_view key;
  std::vector<std::string_view> mistyped;
};

const std::vector<RequiredField>& required_fields() {
  static const std::vector<std::string_view> not_a_string = {"null", "1", "true", "[]", "{}"};
  static const std::vector<RequiredField> fields = {
      {R"({"type":"text","text":"t"})", "text", not_a_string},
      {R"({"type":"heading","level":1,"text":"t"})", "text", not_a_string},
      {R"({"type":"heading","level":1,"text":"t"})", "level", {"null", R"("1")", "true", "[]", "1.5"}},
      {R"({"type":"link","url":"https://e.com","text":"t"})", "text", not_a_string},
      {R"({"type":"link","url":"https://e.com","text":"t"})", "url", not_a_string},
      {R"({"type":"image","url":"https://e.com","alt":"t"})", "alt", not_a_string},
      {R"({"type":"image","url":"https://e.com","alt":"t"})", "url", not_a_string},
      {R"({"type":"list","ordered":true,"items":[]})", "ordered", {"null", "1", R"("true")", "[]"}},
      {R"({"type":"list","ordered":true,"items":[]})",
       "items",
       {"null", "1", R"("a")", "{}", "[1]", R"(["a",null])", "[[]]"}},
      {R"({"type":"code","code":"t"})", "code", not_a_string},
      {R"({"type":"table","rows":[]})",
       "rows",
       {"null", "1", R"("a")", "{}", R"(["a"])", "[[1]]", R"([["a"],["b",null]])", "[{}]"}},
      {R"({"type":"quote","text":"t"})", "text", not_a_string},
      {R"({"type":"video","name":"n","url":"https://e.com"})", "name", not_a_string},
      {R"({"type":"video","name":"n","url":"https://e.com"})",
       "url",
       {"null", "1", "{}", "[]", "[1]", R"(["https://e.com"])", R"([{"href":"https://e.com"}])",
        R"([{"mediaType":"video/mp4"}])", R"([{"href":1,"mediaType":"x"}])",
        R"([{"href":"https://e.com","mediaType":null}])"}},
      {R"({"type":"audio","name":"n","url":"https://e.com"})", "name", not_a_string},
      {R"({"type":"audio","name":"n","url":"https://e.com"})",
       "url",
       {"null", "1", "{}", "[]", R"([{"href":"https://e.com"}])"}},
      {R"({"type":"structured","format":"f","data":{}})", "format", not_a_string},
      {R"({"type":"structured","format":"f","data":{}})", "data", {"null", "1", R"("a")", "[]"}},
  };
  return fields;
}

// Readings, table: malformed-block, a known type that lacks or mistypes a required field: block dropped.
TEST(SpecBlocks, MissingOrMistypedRequiredFieldsDropTheBlock) {
  for (const RequiredField& field : required_fields()) {
    EXPECT_EQ(decode_block(field.block).codes(), Codes()) << field.block;
    const auto missing = decode_block(block_replacing(field.block, field.key, ""));
    EXPECT_EQ(missing.codes(), (Codes{"malformed-block", "empty-content"}))
        << field.block << " without " << field.key;
    EXPECT_TRUE(missing.page.content.empty());
    for (const std::string_view value : field.mistyped) {
      const auto mistyped = decode_block(block_replacing(field.block, field.key, value));
      EXPECT_EQ(mistyped.codes(), (Codes{"malformed-block", "empty-content"}))
          << field.block << " with " << field.key << " " << value;
    }
  }
}

// Readings, table: malformed-block, not an object, no string type.
TEST(SpecBlocks, InvalidBlocksAreDropped) {
  for (const std::string_view block :
       {"null", "1", R"("text")", "[]", "true", "{}", R"({"text":"t"})", R"({"type":1})",
        R"({"type":null,"text":"t"})", R"({"Type":"text","text":"t"})"})
    EXPECT_EQ(decode_block(block).codes(), (Codes{"malformed-block", "empty-content"})) << block;
}

TEST(SpecBlocks, OtherBlocksOfThePageStay) {
  const auto decoded =
      decode_page(page_with_block(R"({"type":"text","text":"a"},5,{"type":"text","text":"b"})"));
  EXPECT_EQ(decoded.codes(), Codes{"malformed-block"});
  ASSERT_EQ(decoded.page.content.size(), 2U);
  EXPECT_EQ(decoded.raw, page_with_block(R"({"type":"text","text":"a"},{"type":"text","text":"b"})"));
  EXPECT_NE(decoded.findings[0].message.find("block 2"), std::string::npos);
}

// Readings, table: heading-clamped, level outside 1-6: clamped.
TEST(SpecBlocks, HeadingLevelIsClamped) {
  const std::pair<std::string_view, int> cases[] = {{"0", 1},
                                                    {"-5", 1},
                                                    {"7", 6},
                                                    {"100", 6},
                                                    {"1e3", 6},
                                                    {"-9223372036854775808", 1},
                                                    {"18446744073709551615", 6},
                                                    {"0.0", 1}};
  for (const auto& [level, expected] : cases) {
    const auto decoded =
        decode_block(R"({"type":"heading","level":)" + std::string(level) + R"(,"text":"t"})");
    EXPECT_EQ(decoded.codes(), Codes{"heading-clamped"}) << level;
    EXPECT_EQ(kind_of<HeadingBlock>(decoded).level, expected) << level;
    EXPECT_EQ(decode_page(decoded.raw).codes(), Codes());
  }
  for (int level = 1; level <= 6; ++level)
    EXPECT_EQ(
        decode_block(R"({"type":"heading","level":)" + std::to_string(level) + R"(,"text":"t"})").codes(),
        Codes());
  EXPECT_EQ(kind_of<HeadingBlock>(decode_block(R"({"type":"heading","level":2.0,"text":"t"})")).level, 2);
}

// Readings, table: unsafe-url, a URL in the block is not http(s) or cannot be parsed: block dropped.
TEST(SpecBlocks, UnsafeUrlsDropTheBlock) {
  for (const std::string_view url :
       {"javascript:x1", "JaVaScRiPt:x", "data:text/html,x", "file:///etc/passwd", "ftp://e.com/",
        "/relative", "", "https://", "https://e.com:70000/", "http://a b/", "//e.com/", "vbscript:x",
        " https://e.com"}) {
    const std::string json = "\"" + std::string(url) + "\"";
    for (const std::string& block :
         {R"({"type":"link","text":"t","url":)" + json + "}",
          R"({"type":"image","alt":"t","url":)" + json + "}",
          R"({"type":"video","name":"t","url":)" + json + "}",
          R"({"type":"audio","name":"t","url":)" + json + "}",
          R"({"type":"video","name":"t","url":[{"mediaType":"x","href":)" + json + "}]}"})
      EXPECT_EQ(decode_block(block).codes(), (Codes{"unsafe-url", "empty-content"})) << block;
  }
}

// Readings, table: of a media block with several URLs only the bad entries go, the block when none is left.
TEST(SpecBlocks, OfSeveralMediaUrlsOnlyTheBadOnesGo) {
  for (const std::string_view type : {"video", "audio"}) {
    const auto decoded = decode_block(
        R"({"type":")" + std::string(type) +
        R"(","name":"n","url":[{"href":"javascript:x","mediaType":"a"},{"href":"https://e.com/2","mediaType":"b"},{"href":"data:,","mediaType":"c"}]})");
    EXPECT_EQ(decoded.codes(), Codes{"unsafe-url"});
    ASSERT_EQ(decoded.page.content.size(), 1U);
    EXPECT_EQ(decoded.raw,
              page_with_block(R"({"type":")" + std::string(type) +
                              R"(","name":"n","url":[{"href":"https://e.com/2","mediaType":"b"}]})"));
  }
  const auto captions = decode_block(
      R"({"type":"video","name":"n","url":"https://e.com","captions":[{"language":"en","url":"file:///x","label":"l"},{"language":"de","url":"https://e.com/c","label":"l"}]})");
  EXPECT_EQ(captions.codes(), Codes{"unsafe-url"});
  EXPECT_EQ(kind_of<VideoBlock>(captions).media->captions->size(), 1U);
  const auto icon = decode_block(
      R"({"type":"video","name":"n","url":"https://e.com","icon":{"type":"Image","url":"javascript:x"}})");
  EXPECT_EQ(icon.codes(), Codes{"unsafe-url"});
  EXPECT_FALSE(kind_of<VideoBlock>(icon).media->icon_url);
}

// Readings, table: unknown-block, unknown type; the block is kept as it came.
TEST(SpecBlocks, UnknownTypesAreKeptAsTheyCame) {
  for (const std::string_view block :
       {R"({"type":"widget"})", R"({ "x" : [ 1 ,2 ] , "type" : "Text" , "url":"javascript:x" })",
        R"({"type":""})", R"({"type":"text ","text":5})"}) {
    const auto decoded = decode_block(block);
    EXPECT_EQ(decoded.codes(), Codes{"unknown-block"}) << block;
    EXPECT_EQ(kind_of<UnknownBlock>(decoded).json, block);
    EXPECT_EQ(decoded.raw, page_with_block(block));
    const auto changed = decode_page(page_with_block(std::string(block) + ",5"));
    EXPECT_EQ(changed.raw, page_with_block(block));
  }
}

// Readings, "Pages and blocks": unsafe URLs in what is kept as JSON are reported; writers drop them.
TEST(SheafOnlyBlocks, UnsafeUrlsInKeptJson) {
  const std::string media = R"({"type":"audio","name":"n","url":"https://e.com/a")";
  const std::pair<std::string, std::string> cases[] = {
      {R"({"type":"text","text":"t","x":{"a":["javascript:b", 1],"b":" DATA:text/html,x"}})",
       R"({"type":"text","text":"t","x":{"a":[1]}})"},
      {R"({"type":"text","text":"t","x":"vbscript:b"})", R"({"type":"text","text":"t"})"},
      {R"({"type":"text","text":"t","href":"java\tscript: a"})", R"({"type":"text","text":"t"})"},
      {R"({"type":"text","text":"t","\u0075rl":"file: a"})", R"({"type":"text","text":"t"})"},
      {R"({"type":"text","text":"t","x":"\u006Aavascript:a"})", R"({"type":"text","text":"t"})"},
      {media + R"(,"attributedTo":{"name":"P", "url":"javascript:a"}})",
       media + R"(,"attributedTo":{"name":"P"}})"},
      {media + R"(,"icon":{"type":"Image","url":"https://e.com","x":"file:///a"}})",
       media + R"(,"icon":{"type":"Image","url":"https://e.com"}})"},
      {media + R"(,"chapters":[{"time":1,"title":"a","href":"blob:a"},{"time":2,"title":"b","x":1}]})",
       media + R"(,"chapters":[{"time":1,"title":"a"},{"time":2,"title":"b","x":1}]})"},
      {R"({"type":"video","name":"n","url":[{"href":"https://e.com","mediaType":"a/b","x":"blob:a"}],)"
       R"("captions":[{"language":"en","url":"https://e.com","label":"l","y":["blob:b"]}]})",
       R"({"type":"video","name":"n","url":[{"href":"https://e.com","mediaType":"a/b"}],)"
       R"("captions":[{"language":"en","url":"https://e.com","label":"l","y":[]}]})"},
      {R"({"type":"structured","format":"f","data":{"url":"blob:x", "n":1}})",
       R"({"type":"structured","format":"f","data":{"n":1}})"},
  };
  for (const auto& [block, cleaned] : cases) {
    const std::string json = page_with_block(block);
    const auto decoded = decode_page(json);
    EXPECT_EQ(std::ranges::count(decoded.codes(), "unsafe-url-kept"), std::ssize(decoded.findings)) << block;
    EXPECT_FALSE(decoded.findings.empty()) << block;
    EXPECT_EQ(decoded.raw, json);
    EXPECT_EQ(decode_page(page_with_block(block + ",5")).raw, json);  // encoded again, since 5 is dropped
    EXPECT_EQ(decode_page(json, Detail::checks).codes(), decoded.codes()) << block;
    EXPECT_EQ(test::repaired_text(decoded.page), page_with_block(cleaned));
  }
  // The same page without such a URL is written as it came.
  const std::string safe = page_with_block(media + R"(,"attributedTo":{"name":"P", "url":"https://e.com"}})");
  EXPECT_EQ(test::repaired_text(decode_page(safe).page), safe);
}

// Readings, table: an optional field with a bad value is dropped.
TEST(SpecBlocks, NamesThatAreUnsafeUrlsAreDropped) {
  for (const std::string_view name : {"attributedTo", "partOf"}) {
    const std::string audio = R"({"type":"audio","name":"n","url":"https://e.com/a")";
    const auto decoded = decode_block(audio + ",\"" + std::string(name) + R"(":"javascript:a"})");
    EXPECT_EQ(decoded.codes(), Codes{"invalid-field"}) << name;
    EXPECT_EQ(decoded.raw, page_with_block(audio + "}"));
  }
}

TEST(SheafOnlyBlocks, TextsAreNotUnsafeUrls) {
  for (const std::string_view value :
       {R"("JavaScript: The Good Parts")", R"("Data: an overview, with tables")", R"("File:Cat.jpg")",
        R"("data:x")", R"("mailto:a@b.c")", R"("urn:isbn:1")", R"({"@id":"#a"})", R"("a javascript:b")",
        R"("data")"}) {
    const std::string block = R"({"type":"text","text":"t","x":)" + std::string(value) + "}";
    EXPECT_EQ(decode_block(block).codes(), Codes{}) << block;
  }
}

struct OptionalField {
  std::string_view block;  ///< without it
  std::string_view key;
  std::vector<std::string_view> good;
  std::vector<std::string_view> bad;
};

// Readings, table: invalid-field, an optional field of a block has a wrong type or a bad value: the field is
// dropped.
TEST(SpecBlocks, BadOptionalFieldsAreDropped) {
  constexpr std::string_view kVideo = R"({"type":"video","name":"n","url":"https://e.com/"})";
  constexpr std::string_view kAudio = R"({"type":"audio","name":"n","url":"https://e.com/"})";
  const std::vector<std::string_view> strings = {R"("")", R"("x")"};
  const std::vector<std::string_view> not_strings = {"null", "1", "true", "[]", "{}"};
  const std::vector<std::string_view> names = {R"("")", R"("x")", "{}", R"({"type":"Person","name":"A"})"};
  const std::vector<std::string_view> not_names = {"null", "1", "true", "[]", R"([{"name":"A"}])"};
  const std::vector<std::string_view> counts = {"0", "1", "1e3", "5.0", "9007199254740993"};
  const std::vector<std::string_view> not_counts = {"null", "-1", "1.5", R"("1")", "[]", "true"};
  const std::vector<std::string_view> durations = {R"("PT1S")",    R"("PT1H2M3S")", R"("PT0.5S")",
                                                   R"("PT5M20S")", R"("PT100H")",   R"("PT1H3S")"};
  const std::vector<std::string_view> not_durations = {
      R"("")",      R"("PT")",   R"("P1D")",   R"("PT1.5M")", R"("PT1S1M")", R"("PT1")", R"("PT.5S")",
      R"("PT1.S")", R"("pt1s")", R"("PT1SX")", R"("PT-1S")",  R"("1:30")",   "90",       "null"};
  const std::vector<std::string_view> icons = {"{}", R"({"type":"Image"})", R"({"url":"https://e.com/i"})",
                                               R"({"type":"Image","url":"https://e.com/i","x":1})"};
  const std::vector<std::string_view> not_icons = {"null",
                                                   R"("https://e.com/i")",
                                                   "[]",
                                                   R"({"type":"image"})",
                                                   R"({"type":1})",
                                                   R"({"url":1})",
                                                   R"({"type":"Image","url":null})",
                                                   R"({"url":"https://e.com/i","type":"Video"})"};
  const std::vector<std::string_view> chapters = {"[]", R"([{"time":0,"title":""}])",
                                                  R"([{"time":1.0,"title":"x","y":1}])"};
  const std::vector<std::string_view> not_chapters = {"null",
                                                      "{}",
                                                      "[1]",
                                                      "[{}]",
                                                      R"([{"time":0}])",
                                                      R"([{"title":"x"}])",
                                                      R"([{"time":-1,"title":"x"}])",
                                                      R"([{"time":"0","title":"x"}])",
                                                      R"([{"time":0.5,"title":"x"}])",
                                                      R"([{"time":0,"title":1}])"};
  const std::vector<OptionalField> fields = {
      {R"({"type":"link","url":"https://e.com/","text":"t"})",
       "rel",
       {"[]", R"(["nofollow","x"])"},
       {"null", R"("nofollow")", "[1]", R"(["a",null])", "{}"}},
      {R"({"type":"code","code":"t"})", "language", strings, not_strings},
      {R"({"type":"quote","text":"t"})", "citation", strings, not_strings},
      {kVideo, "duration", durations, not_durations},
      {kVideo, "width", counts, not_counts},
      {kVideo, "height", counts, not_counts},
      {kVideo, "icon", icons, not_icons},
      {kVideo, "summary", strings, not_strings},
      {kVideo, "transcript", strings, not_strings},
      {kVideo, "chapters", chapters, not_chapters},
      {kVideo,
       "captions",
       {"[]", R"([{"language":"en","url":"https://e.com/c","label":""}])"},
       {"null", "{}", "[1]", "[{}]", R"([{"language":"en","url":"https://e.com/c"}])",
        R"([{"language":1,"url":"https://e.com/c","label":""}])",
        R"([{"language":"en","url":2,"label":""}])"}},
      {kAudio, "duration", durations, not_durations},
      {kAudio, "icon", icons, not_icons},
      {kAudio, "summary", strings, not_strings},
      {kAudio, "attributedTo", names, not_names},
      {kAudio, "partOf", names, not_names},
      {kAudio, "chapters", chapters, not_chapters},
      {kAudio, "transcript", strings, not_strings},
  };
  for (const OptionalField& field : fields) {
    const auto with = [&](std::string_view value) {
      std::string block(field.block);
      block.pop_back();
      return block + ",\"" + std::string(field.key) + "\":" + std::string(value) + "}";
    };
    for (const std::string_view value : field.good) {
      const auto decoded = decode_block(with(value));
      EXPECT_EQ(decoded.codes(), Codes()) << with(value);
      EXPECT_EQ(decoded.raw, page_with_block(with(value)));
    }
    for (const std::string_view value : field.bad) {
      const auto decoded = decode_block(with(value));
      EXPECT_EQ(decoded.codes(), Codes{"invalid-field"}) << with(value);
      EXPECT_EQ(decoded.raw, page_with_block(field.block)) << with(value);
    }
  }
}

// The schema names width, height and captions for video only, attributedTo and partOf for audio only: unknown
// elsewhere.
TEST(SpecBlocks, FieldsOfOtherKindsAreUnknownFields) {
  for (const std::string_view block :
       {R"({"type":"audio","name":"n","url":"https://e.com/","width":"wide","captions":5})",
        R"({"type":"video","name":"n","url":"https://e.com/","attributedTo":5,"partOf":[]})",
        R"({"type":"text","text":"t","url":"javascript:x","level":99,"rel":5})",
        R"({"type":"structured","format":"f","data":{},"text":5})"}) {
    const auto decoded = decode_block(block);
    EXPECT_EQ(decoded.codes(), block.contains("javascript") ? Codes{"unsafe-url-kept"} : Codes()) << block;
    EXPECT_EQ(decoded.page.content[0].extra.size(),
              block.find("rel") != std::string_view::npos
                  ? 3U
                  : (block.find("data") != std::string_view::npos ? 1U : 2U));
    EXPECT_EQ(decode_page(page_with_block(std::string(block) + ",5")).raw, page_with_block(block));
  }
}

// Readings, "What we write": attributedTo and partOf may be objects, and are kept as they came.
TEST(SpecBlocks, ObjectsInMediaFieldsAreKept) {
  const std::string block =
      R"({"type":"audio","name":"n","url":"https://e.com/","summary":"s",)"
      R"("attributedTo":{"type":"Person","name":"A", "n":1.50},"partOf":{"name":"B"},"x":1})";
  const auto decoded = decode_block(block + ",5");  // encoded again, since the second block is dropped
  EXPECT_EQ(decoded.codes(), Codes{"malformed-block"});
  EXPECT_EQ(decoded.raw, page_with_block(block));
  // Of two the last one counts, and is the only one that is written.
  const auto twice = decode_block(
      R"({"type":"audio","name":"n","url":"https://e.com/","partOf":"x","partOf":{"name":"B"}})");
  EXPECT_EQ(twice.codes(), Codes{"invalid-field"});
  EXPECT_EQ(twice.raw,
            page_with_block(R"({"type":"audio","name":"n","url":"https://e.com/","partOf":{"name":"B"}})"));
  const auto objects = decode_block(
      R"({"type":"audio","name":"n","url":"https://e.com/","partOf":{"name":"B"},"partOf":"x"})");
  EXPECT_EQ(objects.raw,
            page_with_block(R"({"type":"audio","name":"n","url":"https://e.com/","partOf":"x"})"));
}

TEST(SpecBlocks, UnknownFieldsAreKeptByteForByte) {
  const std::string block =
      R"({"type":"video","name":"n","url":[{"href":"https://e.com/","mediaType":"m","a":[ 1 ]}],"icon":{"type":"Image","url":"https://e.com/","b":1.0},)"
      R"("captions":[{"language":"en","url":"https://e.com/","label":"l","c":{ }}],"chapters":[{"time":1,"title":"t","d":"\u0041"}],"e\/":null})";
  EXPECT_EQ(decode_block(block + ",5").raw, page_with_block(block));
}

TEST(SheafOnlyBlocks, TheLastOfRepeatedFieldsCounts) {
  const auto decoded = decode_block(R"({"type":"text","text":"a","text":"b","x":1,"x":2})");
  EXPECT_EQ(decoded.codes(), Codes{"invalid-field"});
  EXPECT_EQ(kind_of<TextBlock>(decoded).text, "b");
  EXPECT_EQ(decoded.raw, page_with_block(R"({"type":"text","text":"b","x":1,"x":2})"));
  EXPECT_EQ(decode_page(decoded.raw).codes(), Codes());
}

// A name that the drafts have for another kind of block is unknown to this one, however often it comes.
TEST(SheafOnlyBlocks, RepeatedFieldsOfOtherKindsAreAllowed) {
  const std::string block = R"({"type":"text","text":"a","width":1,"width":2})";
  const auto decoded = decode_block(block);
  EXPECT_EQ(decoded.codes(), Codes());
  EXPECT_EQ(decoded.raw, page_with_block(block));
}

TEST(SheafOnlyBlocks, AnIconIsDroppedWholeWhateverItsOrder) {
  for (const std::string_view icon :
       {R"({"url":"https://e.com/i","type":"Video"})", R"({"type":"Video","url":"https://e.com/i"})",
        R"({"url":"https://e.com/i","url":5})", R"({"url":"https://e.com/i","url":"javascript:x"})"}) {
    const auto decoded = decode_block(R"({"type":"video","name":"n","url":"https://e.com/","icon":)" +
                                      std::string(icon) + "}");
    ASSERT_EQ(decoded.codes().size(), 1U) << icon;
    EXPECT_FALSE(kind_of<VideoBlock>(decoded).media->icon_url) << icon;
    EXPECT_EQ(decoded.raw, page_with_block(R"({"type":"video","name":"n","url":"https://e.com/"})")) << icon;
  }
}

/// Random damage to good pages: the result reads back without findings, at either level of detail.
TEST(SheafOnlyBlocks, SanitisedPagesReadBackWithoutFindings) {
  std::mt19937_64 random(99);
  test::PageGenerator generator(98);
  const std::vector<std::string_view> values = {"null",       "1",
                                                "-1",         "1.5",
                                                "\"\"",       "\"javascript:x\"",
                                                "[]",         "{}",
                                                "true",       "\"https://e.com/\"",
                                                "[1]",        "[{}]",
                                                R"(["a"])",   "99",
                                                R"("\ud800")"};
  int changed = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string json = generator.page();
    // Replace some member's value, found by its colon, by something else that is JSON.
    for (int tries = 0; tries < 2; ++tries) {
      const std::size_t colon = json.find("\":", random() % json.size());
      if (colon == std::string::npos) continue;
      const std::string_view rest = std::string_view(json).substr(colon + 2);
      const std::string wrapped = "[" + std::string(rest);
      RawArray walker(wrapped);
      std::string_view value;
      if (!walker.next(value)) continue;
      json.replace(colon + 2, value.size(), values[random() % values.size()]);
    }
    const auto everything = decode_page(json, Detail::everything);
    const auto checks = decode_page(json, Detail::checks);
    ASSERT_EQ(everything.fatal.has_value(), checks.fatal.has_value()) << json;
    ASSERT_EQ(everything.codes(), checks.codes()) << json;
    for (std::size_t f = 0; f < everything.findings.size(); ++f)
      ASSERT_EQ(test::describe(everything.findings[f]), test::describe(checks.findings[f]));
    const auto texts = decode_page(json, Detail::texts);
    ASSERT_EQ(everything.is_page(), texts.is_page()) << json;
    if (!everything.is_page()) continue;
    ASSERT_EQ(everything.raw, checks.raw) << json;
    ASSERT_EQ(everything.raw, texts.raw) << json;
    ASSERT_EQ(test::page_text(everything), test::page_text(texts)) << json;
    changed += everything.raw != json ? 1 : 0;
    const auto again = decode_page(everything.raw);
    ASSERT_TRUE(again.is_page()) << everything.raw;
    for (const auto& finding : again.findings)
      ASSERT_TRUE(finding.code == Code::unknown_block || finding.code == Code::empty_content ||
                  finding.code == Code::invalid_language || finding.code == Code::naive_time ||
                  finding.code == Code::unsafe_url_kept)
          << test::describe(finding) << "\n"
          << json << "\n"
          << everything.raw;
    ASSERT_EQ(again.page, everything.page) << json << "\n" << everything.raw;
    ASSERT_EQ(again.raw, everything.raw);
  }
  EXPECT_GT(changed, 500);
}

}  // namespace
}  // namespace sheaf::format
