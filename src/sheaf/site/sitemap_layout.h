#pragma once

#include "sheaf/base/error.h"
#include "sheaf/site/sitemap.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// A byte range of a file: [begin, end).
struct ByteSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// An attribute of the root element, as raw bytes.
struct TagAttribute {
  ByteSpan span;  ///< with the white space before it
  std::string name;
  std::string value;  ///< undecoded, without its quotes
};

/// A child of the root element.
struct ChildElement {
  ByteSpan span;
  bool is_scp = false;
  bool is_entry = false;          ///< a `url` or `sitemap`
  std::size_t content_begin = 0;  ///< after its start tag
  std::size_t loc_begin = 0;      ///< of the `loc` in it, else 0
};

/// The positions of all parts of a sitemap file, for changing it without touching the rest.
struct SitemapLayout {
  SitemapKind kind = SitemapKind::unknown;
  std::string root_name;  ///< with its prefix
  ByteSpan root_tag;
  bool root_is_empty = false;  ///< <urlset/>
  std::size_t root_close = 0;  ///< where its end tag begins; for an empty one where its start tag ends
  std::vector<TagAttribute> root_attributes;
  std::vector<ByteSpan> scp_elements;       ///< wherever they stand, none inside another
  std::optional<ChildElement> first_child;  ///< that is not of SCP
  std::optional<ChildElement> first_scp_child;
  std::optional<ChildElement> first_entry;
  std::optional<ChildElement> last_entry;
  std::uint64_t entries = 0;
  std::vector<std::string> child_locs;  ///< of an index: decoded and trimmed
  bool scp_attributes = false;          ///< something else than an SCP element uses our namespace
};

/// Finds the layout of a file. Refused, with the line and advice: XML that is not well-formed, not a sitemap,
/// has a document type, or an encoding that is not a superset of ASCII (UTF-16, Shift_JIS ...).
base::Result<SitemapLayout> read_layout(std::string_view bytes);

}  // namespace sheaf::site
