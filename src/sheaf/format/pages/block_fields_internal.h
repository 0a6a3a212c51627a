#pragma once

#include "sheaf/format/pages/line_parser_internal.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

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

}  // namespace sheaf::format
