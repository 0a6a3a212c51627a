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
  std::size_t loc_begin = 0;      ///< start of its `loc`; 0 if it has none
};

/// The positions of the parts of a sitemap file, for editing it without changing any other byte.
struct SitemapLayout {
  SitemapKind kind = SitemapKind::unknown;
  std::string root_name;  ///< with its prefix
  ByteSpan root_tag;
  bool root_is_empty = false;  ///< <urlset/>
  std::size_t root_close = 0;  ///< start of the root's end tag; for an empty root, end of its start tag
  std::vector<TagAttribute> root_attributes;
  std::vector<ByteSpan> scp_elements;       ///< at any depth, but not those inside another SCP element
  std::optional<ChildElement> first_child;  ///< the first that is not an SCP element
  std::optional<ChildElement> first_scp_child;
  std::optional<ChildElement> first_entry;
  std::optional<ChildElement> last_entry;
  std::uint64_t entries = 0;
  std::vector<std::string> child_locs;  ///< for an index: URLs of its sitemaps, decoded and trimmed
  bool scp_attributes = false;          ///< an attribute outside SCP elements uses kScpNamespace
};

/// Finds the layout of a file. Fails with Errc::invalid_data if the XML is not well-formed, is not a sitemap,
/// has a document type, or has an encoding that is not a superset of ASCII (UTF-16, Shift_JIS ...). The
/// message gives advice.
base::Result<SitemapLayout> read_layout(std::string_view bytes);

}  // namespace sheaf::site
