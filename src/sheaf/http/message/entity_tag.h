#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace sheaf::http::message {

/// An entity tag of RFC 9110 8.8.3: `"opaque"` or `W/"opaque"`. `opaque` is without its quotes and borrows
/// the text it was read from.
struct EntityTag {
  std::string_view opaque;
  bool weak = false;
};

/// Parses a text that is exactly one tag; nullopt otherwise.
std::optional<EntityTag> parse_entity_tag(std::string_view text) noexcept;

/// The value of If-Match or If-None-Match.
struct TagList {
  bool any = false;  ///< it was "*"
  std::vector<EntityTag> tags;
};

/// Empty list elements are skipped (RFC 9110 5.6.1). Nullopt if the text is not a list of tags: a tag without
/// quotes, "*" among tags, or an empty list.
std::optional<TagList> parse_tag_list(std::string_view text);

/// Strong comparison: both tags are strong and their opaque parts are equal.
inline bool equal_strongly(const EntityTag& a, const EntityTag& b) {
  return !a.weak && !b.weak && a.opaque == b.opaque;
}
inline bool equal_weakly(const EntityTag& a, const EntityTag& b) { return a.opaque == b.opaque; }

}  // namespace sheaf::http::message
