#pragma once

#include "sheaf/format/pages/line_parser_internal.h"
#include "sheaf/format/pages/page_decoder.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The members of content blocks, by name.
namespace sheaf::format {

/// Every member name that some block type of the drafts has.
enum class Key : std::uint8_t {
  type,
  text,
  level,
  url,
  rel,
  alt,
  ordered,
  items,
  language,
  code,
  rows,
  citation,
  name,
  duration,
  width,
  height,
  icon,
  summary,
  captions,
  chapters,
  transcript,
  attributed_to,
  part_of,
  sources,
  title,
  poster,
  cover_art,
  description,
  embed,
  artist,
  album,  // draft 1
  format,
  data,
  inline_,  // our extensions
  start,
  unknown,
};
constexpr std::size_t kKeyCount = static_cast<std::size_t>(Key::unknown);

inline constexpr std::array<std::string_view, kKeyCount> kKeyNames = {
    "type",         "text",     "level",   "url",     "rel",      "alt",      "ordered",
    "items",        "language", "code",    "rows",    "citation", "name",     "duration",
    "width",        "height",   "icon",    "summary", "captions", "chapters", "transcript",
    "attributedTo", "partOf",   "sources", "title",   "poster",   "coverArt", "description",
    "embed",        "artist",   "album",   "format",  "data",     "inline",   "start"};

template <Key... keys>
Key pick(std::string_view name) {
  Key found = Key::unknown;
  const auto is = [&](Key key) {
    const bool same = name == kKeyNames[static_cast<std::size_t>(key)];
    if (same) found = key;
    return same;
  };
  static_cast<void>((is(keys) || ...));
  return found;
}

/// Compares the length first: few names have the same length.
inline Key find_key(std::string_view name) {
  switch (name.size()) {
    case 3: return pick<Key::url, Key::rel, Key::alt>(name);
    case 4: return pick<Key::type, Key::text, Key::code, Key::rows, Key::name, Key::icon, Key::data>(name);
    case 5:
      return pick<Key::level, Key::items, Key::title, Key::width, Key::embed, Key::album, Key::start>(name);
    case 6: return pick<Key::format, Key::inline_, Key::height, Key::part_of, Key::poster, Key::artist>(name);
    case 7: return pick<Key::ordered, Key::summary, Key::sources>(name);
    case 8:
      return pick<Key::language, Key::citation, Key::duration, Key::captions, Key::chapters, Key::cover_art>(
          name);
    case 10: return pick<Key::transcript>(name);
    case 11: return pick<Key::description>(name);
    case 12: return pick<Key::attributed_to>(name);
    default: return Key::unknown;
  }
}

using KeySet = std::uint64_t;
template <class... Keys>
constexpr KeySet key_set(Keys... keys) {
  return ((KeySet{1} << static_cast<unsigned>(keys)) | ...);
}

/// The members of one block, found in one pass over it; the last of equal names counts.
class Fields {
 public:
  explicit Fields(dom::object object) : object_(object) {
    // Uses the iterator directly: a pair of name and value would be written to memory and read back.
    for (auto member = object.begin(); member != object.end(); ++member) {
      const Key key = find_key(member.key());
      if (key == Key::unknown) {
        has_unknown_ = true;
        continue;
      }
      repeated_ |= seen_ & key_set(key);
      seen_ |= key_set(key);
      std::construct_at(&values_.of_key[static_cast<std::size_t>(key)], member.value());
    }
  }

  [[nodiscard]] bool has(Key key) const { return (seen_ & key_set(key)) != 0; }
  [[nodiscard]] bool has_any(KeySet keys) const { return (seen_ & keys) != 0; }
  [[nodiscard]] const dom::element* find(Key key) const {
    return has(key) ? &values_.of_key[static_cast<std::size_t>(key)] : nullptr;
  }
  [[nodiscard]] bool has_repeated() const { return repeated_ != 0; }
  /// Restricts the known members to `known`; all others count as unknown for this kind of block.
  void keep_only(KeySet known) {
    has_unknown_ |= (seen_ & ~known) != 0;
    seen_ &= known;
    repeated_ &= known;
  }
  [[nodiscard]] bool has_unknown() const { return has_unknown_; }
  [[nodiscard]] dom::object object() const { return object_; }

 private:
  /// Only elements in `seen_` are initialised. Clearing the array for every block would cost more than
  /// finding its two or three members.
  union Values {
    Values() {}  // NOLINT(modernize-use-equals-default): defaulted, it would be deleted
    std::array<dom::element, kKeyCount> of_key;
  };

  dom::object object_;
  Values values_;
  KeySet seen_ = 0;
  KeySet repeated_ = 0;
  bool has_unknown_ = false;
};

/// The kind of a block by its `type`. Draft 1's video and audio have different members.
enum class Kind : std::uint8_t {
  text,
  heading,
  link,
  image,
  list,
  code,
  table,
  quote,
  video,
  audio,
  structured,
  legacy_video,
  legacy_audio,
  unknown,
};

/// State of decoding one page: its position, the sink for findings, whether anything was changed.
class PageContext {
 public:
  PageContext(const Line& line, std::string_view url, const FindingSink& sink, Detail detail)
      : line_(line), url_(url), sink_(sink), detail_(detail) {}

  [[nodiscard]] Detail detail() const { return detail_; }
  void report(Code code, std::string message) const {
    sink_({code, line_.number, line_.offset, std::string(url_), std::move(message)});
  }
  /// Reports, and records that the raw line no longer matches the page.
  void change(Code code, std::string message) {
    changed = true;
    report(code, std::move(message));
  }

  bool changed = false;

 private:
  const Line& line_;
  std::string_view url_;
  const FindingSink& sink_;
  Detail detail_;
};

/// Decodes one content block. Views in the block refer to the arena or to the parser's strings.
class BlockDecoder {
 public:
  BlockDecoder(Arena& arena, PageContext& context, std::size_t number, UnsafeLink unsafe_link)
      : arena_(arena), context_(context), number_(number), unsafe_link_(unsafe_link) {}

  /// Fills `block`, which must be empty. Returns false if the block was dropped (and reported). `raw` is its
  /// JSON text if the caller needs everything, else empty. Blocks are filled in place to avoid copying them.
  bool decode(dom::element element, std::string_view raw, Block& block);

  /// Whether `decode` would look at the raw text of this element.
  static bool wants_raw(dom::element element);

 private:
  bool decode_kind(Kind kind, const Fields& fields, std::string_view raw, BlockKind& out);
  bool text(const Fields& fields, TextBlock& block);
  bool heading(const Fields& fields, HeadingBlock& block);
  bool link(const Fields& fields, BlockKind& out);
  bool keep_text_of_link(const Fields& fields, BlockKind& out);
  bool image(const Fields& fields, ImageBlock& block);
  bool list(const Fields& fields, ListBlock& block);
  bool code(const Fields& fields, CodeBlock& block);
  bool table(const Fields& fields, TableBlock& block);
  bool quote(const Fields& fields, QuoteBlock& block);
  bool structured(const Fields& fields, std::string_view raw, StructuredBlock& block);
  template <class Block>
  static bool media(const Media* decoded, Block& block) {
    block.media = decoded;
    return decoded != nullptr;
  }

  // Inline structure, in inline_decoder.cpp.
  void read_inlines(dom::element element, Block& block);
  bool inline_lists(dom::element element, List<Text> texts, std::vector<List<Inline>>& out,
                    std::size_t& invalid);
  bool inline_cells(dom::element element, const TableBlock& table, std::vector<List<Inline>>& out,
                    std::size_t& invalid);
  List<Inline> inline_ranges(dom::element element, Text text, std::size_t& invalid);

  // Media, in media_decoder.cpp.
  const Media* modern_media(const Fields& fields, std::string_view raw);
  /// `family` is "video" or "audio".
  const Media* legacy_media(const Fields& fields, std::string_view raw, std::string_view family);
  bool media_links(dom::array entries, std::string_view raw, Media& media);
  bool legacy_links(const Fields& fields, std::string_view raw, std::string_view family, Media& media);
  void newer_members(dom::object source, MediaLink& link);
  void shared_media(const Fields& fields, std::string_view raw, Media& media);
  void icon(dom::element element, std::string_view raw, Media& media);
  void icon_from_string(const Fields& fields, Key key, Media& media);
  std::optional<List<Caption>> captions(dom::element element, std::string_view raw);
  std::optional<List<Chapter>> chapters(dom::element element, std::string_view raw);

  // Required members: the block is dropped if one is missing or has the wrong type.
  bool required_string(const Fields& fields, Key key, std::string_view& value);
  bool required_url(const Fields& fields, Key key, std::string_view& value);
  // Optional members: an invalid one is dropped, the block stays.
  OptionalText optional_string(const Fields& fields, Key key);
  /// The same for a member that may also be an object, which others() keeps.
  OptionalText string_or_object(const Fields& fields, Key key);
  /// The name of a person or album. A URL that is not safe to follow is dropped.
  OptionalText name_text(const Fields& fields, Key key);
  std::optional<std::uint64_t> optional_count(const Fields& fields, Key key);
  std::optional<List<Text>> strings(dom::element element);

  /// Reports that the block was dropped. Always returns false.
  bool drop(Code code, std::string_view what);
  void drop_field(std::string_view name, std::string_view why);
  Members rest(dom::object object, std::string_view raw, std::initializer_list<std::string_view> named);
  Members others(const Fields& fields, std::string_view raw, KeySet known);
  void keep(std::string_view name, dom::element value, const Member& member, std::vector<Member>& kept) const;
  void report_unsafe_url(std::string_view name, dom::element value) const;

  Arena& arena_;
  PageContext& context_;
  std::size_t number_;  ///< of the block in its page, from 1, for messages
  UnsafeLink unsafe_link_;
};

/// The member name of a key.
inline std::string_view key_name(Key key) { return kKeyNames[static_cast<std::size_t>(key)]; }

/// An integer in either JSON spelling (3, 3.0); nullopt for anything else. Huge ones are clamped.
std::optional<std::int64_t> whole_number(dom::element element);

/// The number of elements in constant time, from the parser's tape.
std::size_t element_count(dom::array array);

/// The raw text of member `key` of the object `object` whose JSON text is `raw`; empty when `raw` is.
std::string_view raw_value(dom::object object, std::string_view raw, std::string_view key);

}  // namespace sheaf::format
