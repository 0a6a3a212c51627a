#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace sheaf::model {

// Everything here is a view: strings and spans point into a reader's line, an Arena, or literals, and live as
// long as those do. Comparison is by content.

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

using Text = std::string_view;
using OptionalText = std::optional<std::string_view>;

/// A member of a JSON object that no draft names, kept as it came: the key with its escapes and without its
/// quotes, the value as JSON text.
struct Member {
  Text key;
  Text value;
  friend bool operator==(const Member&, const Member&) = default;
};
using Members = List<Member>;

struct TextBlock {
  Text text;
  friend bool operator==(const TextBlock&, const TextBlock&) = default;
};

struct HeadingBlock {
  int level = 1;  ///< 1 to 6
  Text text;
  friend bool operator==(const HeadingBlock&, const HeadingBlock&) = default;
};

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
  friend bool operator==(const ListBlock&, const ListBlock&) = default;
};

struct CodeBlock {
  OptionalText language;
  Text code;
  friend bool operator==(const CodeBlock&, const CodeBlock&) = default;
};

struct TableBlock {
  List<List<Text>> rows;
  friend bool operator==(const TableBlock&, const TableBlock&) = default;
};

struct QuoteBlock {
  Text text;
  OptionalText citation;
  friend bool operator==(const QuoteBlock&, const QuoteBlock&) = default;
};

/// One address of a video or audio file.
struct MediaLink {
  Text href;
  Text media_type;
  OptionalText rel;
  Members extra;
  friend bool operator==(const MediaLink&, const MediaLink&) = default;
};

struct Caption {
  Text language;
  Text url;
  Text label;
  Members extra;
  friend bool operator==(const Caption&, const Caption&) = default;
};

struct Chapter {
  std::uint64_t time = 0;  ///< seconds from the start
  Text title;
  Members extra;
  friend bool operator==(const Chapter&, const Chapter&) = default;
};

/// `url` as one plain string, as the drafts allow for a single address, or as a list of links.
using MediaUrl = std::variant<Text, List<MediaLink>>;

/// What video and audio share, and what only one of them has (each draft names the fields of its kind).
struct Media {
  Text name;
  MediaUrl url;
  OptionalText duration;  ///< ISO 8601, PT5M20S
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

/// Media are large and rare: blocks point to them so that a page of paragraphs stays small.
struct VideoBlock {
  const Media* media = nullptr;
  friend bool operator==(const VideoBlock& a, const VideoBlock& b) { return *a.media == *b.media; }
};

struct AudioBlock {
  const Media* media = nullptr;
  friend bool operator==(const AudioBlock& a, const AudioBlock& b) { return *a.media == *b.media; }
};

/// Draft 1's block for structured data; `data` is a JSON object as it came.
struct StructuredBlock {
  Text format;
  Text data;
  friend bool operator==(const StructuredBlock&, const StructuredBlock&) = default;
};

/// A block of a type no draft names: the whole JSON object as it came.
struct UnknownBlock {
  Text type;
  Text json;
  friend bool operator==(const UnknownBlock&, const UnknownBlock&) = default;
};

using BlockKind = std::variant<TextBlock, HeadingBlock, LinkBlock, ImageBlock, ListBlock, CodeBlock,
                               TableBlock, QuoteBlock, VideoBlock, AudioBlock, StructuredBlock, UnknownBlock>;

struct Block {
  BlockKind kind;
  Members extra;  ///< members that the drafts do not name for this type
  friend bool operator==(const Block&, const Block&) = default;
};

/// The `type` as it stands in the file: "text", "heading", ...
Text type_name(const Block& block);

}  // namespace sheaf::model
