// The upgrade of draft 1's video and audio blocks.
#include "sheaf/format/pages/page_decoder.h"
#include "support/collection_text.h"
#include "support/reading.h"

#include <gtest/gtest.h>

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

const Media& legacy(const DecodedPage& decoded) {
  EXPECT_EQ(decoded.codes(), Codes{"legacy-block"});
  const auto& kind = decoded.page.content[0].kind;
  if (const auto* video = std::get_if<VideoBlock>(&kind)) return *video->media;
  return *std::get<AudioBlock>(kind).media;
}

// Readings, "Older drafts": video/audio with sources/title -> url[] (href, mediaType), name; poster/coverArt
// -> icon, description -> summary, integer duration -> ISO 8601, embed -> a text/html entry with rel:
// alternate.
TEST(SpecLegacy, VideoIsUpgraded) {
  const auto decoded = decode_block(
      R"({"type":"video","sources":[{"url":"https://e.com/v.mp4","format":"mp4","quality":"hd"},{"url":"https://e.com/v.webm"}],"title":"T",)"
      R"("poster":"https://e.com/p.jpg","description":"D","duration":3723,"embed":"https://e.com/embed","width":10,"transcript":"t","x":1})");
  EXPECT_EQ(
      decoded.raw,
      page_with_block(
          R"({"type":"video","name":"T","url":[{"href":"https://e.com/v.mp4","mediaType":"video/mp4","quality":"hd"},{"href":"https://e.com/v.webm","mediaType":"video/webm"},)"
          R"({"href":"https://e.com/embed","mediaType":"text/html","rel":"alternate"}],"duration":"PT1H2M3S","width":10,"icon":{"type":"Image","url":"https://e.com/p.jpg"},)"
          R"("summary":"D","transcript":"t","x":1})"));
  EXPECT_EQ(legacy(decoded).icon_url, "https://e.com/p.jpg");
  EXPECT_EQ(decode_page(decoded.raw).codes(), Codes());
  EXPECT_EQ(decode_page(decoded.raw).page, decoded.page);
}

// Readings, "Older drafts": artist -> attributedTo, album -> partOf.
TEST(SpecLegacy, AudioIsUpgraded) {
  const auto decoded = decode_block(
      R"({"type":"audio","sources":[{"url":"https://e.com/a.mp3","format":"mp3"}],"title":"T","coverArt":"https://e.com/c.jpg","artist":"A","album":"B","duration":60,"description":"D"})");
  EXPECT_EQ(
      decoded.raw,
      page_with_block(
          R"({"type":"audio","name":"T","url":[{"href":"https://e.com/a.mp3","mediaType":"audio/mpeg"}],"duration":"PT1M","icon":{"type":"Image","url":"https://e.com/c.jpg"},)"
          R"("summary":"D","attributedTo":"A","partOf":"B"})"));
  EXPECT_EQ(decode_page(decoded.raw).codes(), Codes());
}

TEST(SpecLegacy, DurationsInSecondsBecomeIso8601) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"0", "PT0S"},    {"59", "PT59S"},    {"60", "PT1M"},     {"61", "PT1M1S"},
      {"3600", "PT1H"}, {"3601", "PT1H1S"}, {"7260", "PT2H1M"}, {"5.0", "PT5S"}};
  for (const auto& [seconds, expected] : cases)
    EXPECT_EQ(legacy(decode_block(
                         R"({"type":"video","title":"T","sources":[{"url":"https://e.com/v"}],"duration":)" +
                         std::string(seconds) + "}"))
                  .duration,
              expected);
}

// Readings, "Older drafts": mediaType from format or the extension.
TEST(SpecLegacy, MediaTypeComesFromFormatOrExtension) {
  struct Case {
    std::string_view family, format, url, expected;
  };
  const Case cases[] = {{"video", R"("mp4")", "https://e.com/x", "video/mp4"},
                        {"audio", R"("mp4")", "https://e.com/x", "audio/mp4"},
                        {"video", R"("video/x-custom")", "https://e.com/x.mp4", "video/x-custom"},
                        {"video", R"("WebM")", "https://e.com/x", "video/webm"},
                        {"video", "", "https://e.com/x.OGV?y=.mp4#z", "video/ogg"},
                        {"video", "", "https://e.com/x.mov", "video/quicktime"},
                        {"video", "", "https://e.com/live.m3u8", "application/vnd.apple.mpegurl"},
                        {"audio", "", "https://e.com/x.mp3", "audio/mpeg"},
                        {"audio", "", "https://e.com/x.ogg", "audio/ogg"},
                        {"audio", R"("flac")", "https://e.com/x", "audio/flac"},
                        {"audio", "", "https://e.com/x", "application/octet-stream"},
                        {"audio", "", "https://e.com/a.b/x", "application/octet-stream"},
                        {"video", R"("unheard of")", "https://e.com/x.mp4", "application/octet-stream"}};
  for (const Case& c : cases) {
    const std::string format = c.format.empty() ? "" : R"(,"format":)" + std::string(c.format);
    const auto decoded =
        decode_block(R"({"type":")" + std::string(c.family) + R"(","title":"T","sources":[{"url":")" +
                     std::string(c.url) + "\"" + format + "}]}");
    const auto& media = legacy(decoded);
    EXPECT_EQ(std::get<List<MediaLink>>(media.url)[0].media_type, c.expected) << c.url << " " << c.format;
  }
}

TEST(SpecLegacy, BadPartsGoAndGoodOnesStay) {
  const auto one_bad = decode_block(
      R"({"type":"video","title":"T","sources":[{"url":"javascript:x"},{"url":"https://e.com/v.mp4"}]})");
  EXPECT_EQ(one_bad.codes(), (Codes{"unsafe-url", "legacy-block"}));
  EXPECT_EQ(decode_block(R"({"type":"video","title":"T","sources":[{"url":"javascript:x"}]})").codes(),
            (Codes{"unsafe-url", "empty-content"}));
  EXPECT_EQ(decode_block(R"({"type":"video","title":"T","sources":[]})").codes(),
            (Codes{"malformed-block", "empty-content"}));
  EXPECT_EQ(decode_block(R"({"type":"video","title":"T","sources":[],"embed":"https://e.com/e"})").codes(),
            Codes{"legacy-block"});
  for (const std::string_view sources : {"null", "{}", "[1]", "[{}]", R"([{"url":1}])"})
    EXPECT_EQ(decode_block(R"({"type":"audio","title":"T","sources":)" + std::string(sources) + "}").codes(),
              (Codes{"malformed-block", "empty-content"}))
        << sources;
  for (const std::string_view title : {"", R"("title":null,)", R"("title":5,)"})
    EXPECT_EQ(
        decode_block(R"({"type":"audio",)" + std::string(title) + R"("sources":[{"url":"https://e.com/"}]})")
            .codes(),
        (Codes{"malformed-block", "empty-content"}))
        << title;
  for (const std::string_view field :
       {R"("duration":-1)", R"("duration":1.5)", R"("description":5)", R"("poster":5)", R"("embed":5)"}) {
    const auto decoded =
        decode_block(R"({"type":"video","title":"T","sources":[{"url":"https://e.com/v.mp4"}],)" +
                     std::string(field) + "}");
    EXPECT_EQ(decoded.codes(), (Codes{"invalid-field", "legacy-block"})) << field;
    EXPECT_EQ(decode_page(decoded.raw).codes(), Codes());
  }
  EXPECT_EQ(decode_block(
                R"({"type":"video","title":"T","sources":[{"url":"https://e.com/v.mp4"}],"poster":"data:,"})")
                .codes(),
            (Codes{"unsafe-url", "legacy-block"}));
}

TEST(SheafOnlyLegacy, TheNewerFormIsPreferredWhereBothAreThere) {
  const auto modern =
      decode_block(R"({"type":"video","name":"N","url":"https://e.com/","title":"T","sources":[]})");
  EXPECT_EQ(modern.codes(), Codes());
  EXPECT_EQ(modern.page.content[0].extra.size(), 2U);
  const auto mixed = decode_block(
      R"({"type":"video","name":"N","title":"T","sources":[{"url":"https://e.com/v.mp4"}],"summary":"S","description":"D"})");
  EXPECT_EQ(legacy(mixed).name, "N");
  EXPECT_EQ(legacy(mixed).summary, "S");
}

// A member of a source entry with a name of the newer form must not be written twice.
TEST(SheafOnlyLegacy, SourceEntriesWithNewerNamesAreReadBackTheSame) {
  for (const std::string_view entry :
       {R"({"url":"https://e.com/v.mp4","href":"javascript:x"})",
        R"({"url":"https://e.com/v.mp4","href":"https://e.com/other"})",
        R"({"url":"https://e.com/v.mp4","mediaType":"video/other"})",
        R"({"url":"https://e.com/v.mp4","mediaType":5})", R"({"url":"https://e.com/v.mp4","rel":5})",
        R"({"url":"https://e.com/v.mp4","rel":"alternate"})"}) {
    const auto decoded =
        decode_block(R"({"type":"video","title":"T","sources":[)" + std::string(entry) + "]}");
    ASSERT_EQ(decoded.page.content.size(), 1U);
    EXPECT_EQ(std::get<List<MediaLink>>(kind_of<VideoBlock>(decoded).media->url)[0].href,
              "https://e.com/v.mp4");
    const auto again = decode_page(decoded.raw);
    EXPECT_EQ(again.codes(), Codes()) << entry << decoded.raw;
    EXPECT_EQ(again.page, decoded.page) << entry;
  }
}

// Readings, "Older drafts": structured (format, data) is a known block and kept.
TEST(SpecLegacy, StructuredBlocksAreKept) {
  const std::string block = R"({"type":"structured","format":"json-ld","data":{ "@type" : "Thing" },"x":1})";
  const auto decoded = decode_block(block);
  EXPECT_EQ(decoded.codes(), Codes());
  EXPECT_EQ(decode_page(page_with_block(block + ",5")).raw, page_with_block(block));
}

}  // namespace
}  // namespace sheaf::format
