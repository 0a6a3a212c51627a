#include "support/page_generator.h"
#include "support/reading.h"

#include <gtest/gtest.h>

#include <sheaf/page.h>

#include <functional>
#include <string>
#include <vector>

namespace sheaf::model {
namespace {

/// A page that uses every field of every block, in memory that the caller can overwrite.
struct FullPage {
  std::vector<Text> texts = {"a", "b"};
  std::vector<List<Text>> rows = {List<Text>(texts), List<Text>()};
  std::vector<Member> members = {{"x-key", "{ }"}};
  std::vector<MediaLink> links = {{"https://e.com/v", "video/mp4", "alternate", Members(members)}};
  std::vector<Caption> captions = {{"en", "https://e.com/c", "English", Members(members)}};
  std::vector<Chapter> chapters = {{7, "Start", Members(members)}};
  Media media;
  Media plain_media;
  std::vector<Block> blocks;
  Page page;

  FullPage() {
    media.name = "Film";
    media.url = List<MediaLink>(links);
    media.duration = "PT1S";
    media.width = 1;
    media.height = 2;
    media.icon_url = "https://e.com/i";
    media.icon_extra = Members(members);
    media.summary = "s";
    media.attributed_to = "who";
    media.part_of = "what";
    media.captions = List<Caption>(captions);
    media.chapters = List<Chapter>(chapters);
    media.transcript = "t";
    plain_media.name = "Song";
    plain_media.url = Text("https://e.com/a");
    blocks = {{TextBlock{"text"}, Members(members)},
              {HeadingBlock{2, "heading"}, {}},
              {LinkBlock{"https://e.com", "link", List<Text>(texts)}, {}},
              {ImageBlock{"https://e.com/i", "alt"}, {}},
              {ListBlock{true, List<Text>(texts)}, {}},
              {CodeBlock{"c", "code"}, {}},
              {TableBlock{List<List<Text>>(rows)}, {}},
              {QuoteBlock{"quote", "who"}, {}},
              {VideoBlock{&media}, {}},
              {AudioBlock{&plain_media}, {}},
              {StructuredBlock{"json-ld", "{}"}, {}},
              {UnknownBlock{"widget", R"({"type":"widget"})"}, {}}};
    page = {"https://e.com/",
            "title",
            "description",
            "author",
            "2026-01-01T00:00:00Z",
            "2026-01-02T00:00:00Z",
            {1, 2},
            "en",
            "https://e.com/c",
            "{}",
            List<Block>(blocks),
            List<Text>(texts),
            Members(members)};
  }
};

TEST(SheafOnlyPage, CopyIsEqualAndIndependent) {
  Arena arena;
  Page copied;
  {
    const FullPage full;
    copied = copy(full.page, arena);
    EXPECT_EQ(copied, full.page);
  }  // every span and string of the original is gone; the address sanitizer sees to it that none is used
  const FullPage again;
  EXPECT_EQ(copied, again.page);
}

TEST(SheafOnlyPage, CopySharesNoCharacterWithItsSource) {
  const auto decoded = test::decode_page(test::PageGenerator(5).page());
  ASSERT_TRUE(decoded.is_page());
  Arena arena;
  const Page twice = copy(decoded.page, arena);
  EXPECT_EQ(twice, decoded.page);
  EXPECT_NE(twice.url.data(), decoded.page.url.data());
  EXPECT_NE(twice.content.data(), decoded.page.content.data());
}

TEST(SheafOnlyPage, EveryFieldCountsInComparison) {
  const FullPage original;
  const std::vector<std::function<void(FullPage&)>> changes = {
      [](FullPage& p) { p.page.url = "https://e.com/2"; },
      [](FullPage& p) { p.page.title = ""; },
      [](FullPage& p) { p.page.description = ""; },
      [](FullPage& p) { p.page.author.reset(); },
      [](FullPage& p) { p.page.published = "x"; },
      [](FullPage& p) { p.page.modified = "x"; },
      [](FullPage& p) { p.page.modified_at.nanoseconds = 3; },
      [](FullPage& p) { p.page.language = "de"; },
      [](FullPage& p) { p.page.canonical.reset(); },
      [](FullPage& p) { p.page.schema = "{ }"; },
      [](FullPage& p) { p.page.robots.reset(); },
      [](FullPage& p) { p.page.extra = {}; },
      [](FullPage& p) { p.blocks[0].extra = {}; },
      [](FullPage& p) { p.blocks[1].kind = HeadingBlock{3, "heading"}; },
      [](FullPage& p) { std::get<LinkBlock>(p.blocks[2].kind).rel.reset(); },
      [](FullPage& p) { std::get<ImageBlock>(p.blocks[3].kind).alt = ""; },
      [](FullPage& p) { std::get<ListBlock>(p.blocks[4].kind).ordered = false; },
      [](FullPage& p) { std::get<CodeBlock>(p.blocks[5].kind).language.reset(); },
      [](FullPage& p) { p.rows[1] = p.rows[0]; },
      [](FullPage& p) { std::get<QuoteBlock>(p.blocks[7].kind).citation.reset(); },
      [](FullPage& p) { std::get<StructuredBlock>(p.blocks[10].kind).data = "{ }"; },
      [](FullPage& p) { std::get<UnknownBlock>(p.blocks[11].kind).json = "{}"; },
      [](FullPage& p) { p.blocks[9].kind = VideoBlock{&p.plain_media}; },
      [](FullPage& p) { p.media.width.reset(); },
      [](FullPage& p) { p.media.icon_url.reset(); },
      [](FullPage& p) { p.links[0].rel.reset(); },
      [](FullPage& p) { p.captions[0].label = ""; },
      [](FullPage& p) { p.chapters[0].time = 8; },
      [](FullPage& p) { p.plain_media.url = List<MediaLink>(p.links); },
      [](FullPage& p) { p.page.content = List<Block>(std::span(p.blocks).first(11)); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    FullPage changed;
    EXPECT_EQ(changed.page, original.page);
    changes[i](changed);
    EXPECT_NE(changed.page, original.page) << "change " << i;
  }
}

TEST(SheafOnlyPage, BlocksKnowTheirTypeName) {
  const FullPage full;
  const std::vector<std::string_view> expected = {"text",  "heading", "link",       "image",
                                                  "list",  "code",    "table",      "quote",
                                                  "video", "audio",   "structured", "widget"};
  ASSERT_EQ(full.blocks.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(type_name(full.blocks[i]), expected[i]);
}

}  // namespace
}  // namespace sheaf::model
