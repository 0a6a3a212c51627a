// sheaf/page.h - a page and its content blocks
//
// A Page has metadata (URL, title, language, times) and a list of blocks: text, headings, lists, tables,
// code, images and so on. Pages come from a Reader (sheaf/reader.h), a PageExtractor (sheaf/extract.h) or a
// PageParser, or a program fills one in; they go to a Writer (sheaf/writer.h), page_json or page_markdown.
//
//     #include <sheaf/page.h>
//
//     #include <cstdio>
//
//     int main() {
//       const sheaf::Block blocks[] = {{sheaf::HeadingBlock{1, "Hello"}, {}},
//                                      {sheaf::TextBlock{"A first page."}, {}}};
//       sheaf::Page page;
//       page.url = "https://shop.example/hello";
//       page.title = "Hello";
//       page.content = std::span<const sheaf::Block>(blocks);
//       for (const sheaf::Block& block : page.content)
//         if (const auto* text = std::get_if<sheaf::TextBlock>(&block.kind))
//           std::printf("%.*s\n", static_cast<int>(text->text.size()), text->text.data());
//       return sheaf::type_name(page.content[0]) == "heading" ? 0 : 1;
//     }
//
// Lifetimes: pages, blocks and lists are views. Their strings belong to the object that made the page; its
// header says how long they live. copy(page, arena) keeps a page for as long as the Arena lives. If you fill
// in a page, its strings may live anywhere, for example in an Arena.
//
// Errors: none. Threads: several threads may read the same views; an Arena may be used by one thread at a
// time.
#pragma once

#include <sheaf/arena.h>
#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace sheaf {

/// A view of a list: a std::span whose operator== compares the elements.
template <class T>
class List : public std::span<const T> {
 public:
  using std::span<const T>::span;
  List() = default;
  List(std::span<const T> values) : std::span<const T>(values) {}  // NOLINT(google-explicit-constructor)

  friend bool operator==(const List& a, const List& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }
};

/// A view of UTF-8 text.
using Text = std::string_view;
/// A text that may be absent, which is not the same as empty.
using OptionalText = std::optional<std::string_view>;

/// A member of a JSON object that no draft defines, unchanged: the key still escaped, without its quotes, and
/// the value as JSON text.
struct Member {
  Text key;
  Text value;
  friend bool operator==(const Member&, const Member&) = default;
};
using Members = List<Member>;

/// The kind of an inline range (our extension; docs/format.md, "Inline structure").
enum class InlineKind : std::uint8_t { link, code, strong, em, math, sub, sup };

/// A range of a text, in UTF-16 code units. The ranges of a text nest or are disjoint. They are sorted by
/// `from`; of ranges with the same `from`, the longer comes first.
struct Inline {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  InlineKind kind = InlineKind::link;
  Text url = {};  ///< target of a link; empty for other kinds
  friend bool operator==(const Inline&, const Inline&) = default;
};

/// A paragraph.
struct TextBlock {
  Text text;
  friend bool operator==(const TextBlock&, const TextBlock&) = default;
};

struct HeadingBlock {
  int level = 1;  ///< 1 to 6
  Text text;
  friend bool operator==(const HeadingBlock&, const HeadingBlock&) = default;
};

/// A link that is not part of a paragraph. Links in a paragraph are part of its text.
struct LinkBlock {
  Text url;
  Text text;
  std::optional<List<Text>> rel;
  friend bool operator==(const LinkBlock&, const LinkBlock&) = default;
};

struct ImageBlock {
  Text url;
  Text alt;
  friend bool operator==(const ImageBlock&, const ImageBlock&) = default;
};

struct ListBlock {
  bool ordered = false;
  List<Text> items;
  std::int64_t start = 1;  ///< ordered lists: number of the first item (our extension)
  friend bool operator==(const ListBlock&, const ListBlock&) = default;
};

struct CodeBlock {
  OptionalText language;
  Text code;
  friend bool operator==(const CodeBlock&, const CodeBlock&) = default;
};

/// Rows of cells. Rows may differ in length.
struct TableBlock {
  List<List<Text>> rows;
  friend bool operator==(const TableBlock&, const TableBlock&) = default;
};

struct QuoteBlock {
  Text text;
  OptionalText citation;
  friend bool operator==(const QuoteBlock&, const QuoteBlock&) = default;
};

/// One URL of a video or audio file.
struct MediaLink {
  Text href;
  Text media_type;
  OptionalText rel;
  Members extra;
  friend bool operator==(const MediaLink&, const MediaLink&) = default;
};

/// Subtitles of a video.
struct Caption {
  Text language;
  Text url;
  Text label;
  Members extra;
  friend bool operator==(const Caption&, const Caption&) = default;
};

/// A chapter mark of a video or recording.
struct Chapter {
  std::uint64_t time = 0;  ///< seconds from the start
  Text title;
  Members extra;
  friend bool operator==(const Chapter&, const Chapter&) = default;
};

/// A plain string, which the drafts allow for a single URL, or a list of links.
using MediaUrl = std::variant<Text, List<MediaLink>>;

/// The fields of video and audio blocks. The drafts define which of them each kind of block may have.
struct Media {
  Text name;
  MediaUrl url;
  OptionalText duration;  ///< ISO 8601: PT5M20S
  std::optional<std::uint64_t> width;
  std::optional<std::uint64_t> height;
  OptionalText icon_url;
  Members icon_extra;
  OptionalText summary;
  OptionalText attributed_to;
  OptionalText part_of;
  std::optional<List<Caption>> captions;
  std::optional<List<Chapter>> chapters;
  OptionalText transcript;
  friend bool operator==(const Media&, const Media&) = default;
};

/// `media` is never null in a page that the library made. It is a pointer because Media is large and rare,
/// and would make every Block larger.
struct VideoBlock {
  const Media* media = nullptr;
  friend bool operator==(const VideoBlock& a, const VideoBlock& b) { return *a.media == *b.media; }
};

/// `media` is as in VideoBlock.
struct AudioBlock {
  const Media* media = nullptr;
  friend bool operator==(const AudioBlock& a, const AudioBlock& b) { return *a.media == *b.media; }
};

/// Structured data (draft 1); `data` is the unchanged text of a JSON object.
struct StructuredBlock {
  Text format;
  Text data;
  friend bool operator==(const StructuredBlock&, const StructuredBlock&) = default;
};

/// A block of a type that no draft defines: the unchanged text of the whole JSON object.
struct UnknownBlock {
  Text type;
  Text json;
  friend bool operator==(const UnknownBlock&, const UnknownBlock&) = default;
};

using BlockKind = std::variant<TextBlock, HeadingBlock, LinkBlock, ImageBlock, ListBlock, CodeBlock,
                               TableBlock, QuoteBlock, VideoBlock, AudioBlock, StructuredBlock, UnknownBlock>;

/// One piece of content. Use std::visit or std::get_if on `kind`.
struct Block {
  BlockKind kind;
  Members extra;  ///< members that the drafts do not define for this type
  /// Inline ranges of the texts of the block: one list for a text, heading or quote; one per item of a list;
  /// one per cell of a table, row by row. Empty if no text has inline ranges.
  List<List<Inline>> inlines = {};
  friend bool operator==(const Block&, const Block&) = default;
};

/// The value of `type` in the file: "text", "heading", ...
Text type_name(const Block& block);

/// One page of a site.
struct Page {
  Text url;  ///< absolute, http or https
  Text title;
  Text description;
  OptionalText author;
  OptionalText published;
  Text modified;        ///< RFC 3339, as in the file; the state digest is computed from these characters
  Instant modified_at;  ///< `modified`, parsed; readers set it, writers ignore it
  Text language;        ///< BCP 47: "en", "de-CH"
  OptionalText canonical;
  OptionalText schema;  ///< schema.org data: the unchanged text of a JSON object
  List<Block> content;
  std::optional<List<Text>> robots;  ///< draft 1
  Members extra;                     ///< members that no draft defines

  friend bool operator==(const Page&, const Page&) = default;
};

/// A deep copy; all its strings and lists live in `arena`.
Page copy(const Page& page, Arena& arena);

}  // namespace sheaf
