#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace sheaf::http {

/// An entity tag of RFC 9110 8.8.3: `"opaque"` or `W/"opaque"`. `opaque` is without its quotes and borrows
/// the text it was read from.
struct EntityTag {
  std::string_view opaque;
  bool weak = false;
};

/// The whole text as one tag; nullopt if it is anything else.
std::optional<EntityTag> parse_entity_tag(std::string_view text) noexcept;

/// The value of If-Match or If-None-Match.
struct TagList {
  bool any = false;  ///< it was "*"
  std::vector<EntityTag> tags;
};

/// Empty list elements are passed over, as RFC 9110 5.6.1 wants. nullopt for a text that is no list of tags:
/// a tag without quotes, "*" among tags, nothing at all.
std::optional<TagList> parse_tag_list(std::string_view text);

/// The same bytes for sure: both strong, the same opaque part.
inline bool equal_strongly(const EntityTag& a, const EntityTag& b) {
  return !a.weak && !b.weak && a.opaque == b.opaque;
}
inline bool equal_weakly(const EntityTag& a, const EntityTag& b) { return a.opaque == b.opaque; }

}  // namespace sheaf::http
