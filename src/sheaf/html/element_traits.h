#pragma once

#include "sheaf/html/names.h"

#include <cstdint>

namespace sheaf::html {

/// How an element is laid out if there are no style sheets.
enum class ElementKind : std::uint8_t {
  inside,    ///< inline: a, b, span, and every unknown element
  block,     ///< begins and ends a block of text: p, div, li, td
  replaced,  ///< inline content that is not text: img, video, iframe, svg
  control,   ///< part of a form: input, select, button
  unseen,    ///< not shown: script, style, template, head
};

/// The kind of text that is directly inside an element.
enum class TextKind : std::uint8_t {
  other,
  paragraph,
  heading,
  list_item,
  cell,
  term,
  definition,
  code,
  quote,
  caption
};

/// The role of an element in the outline of a page. Inline elements come first.
enum class OutlineRole : std::uint8_t {
  plain,
  link,
  code,
  bold,
  italic,
  time,
  line_break,
  // The rest are not inline.
  block,     ///< begins a region
  skipped,   ///< content is not part of the page's text
  image,     ///< skipped and counted
  control,   ///< skipped and counted
  button,    ///< a control, but text if it is in a heading
  noscript,  ///< a block if it contains most of the page, else skipped
  by_kind,   ///< only in the rows of element_table.h: derived from ElementKind
};
inline constexpr OutlineRole kLastInlineRole = OutlineRole::line_break;

/// Whether an element may contain metadata of the page.
enum class MetadataRole : std::uint8_t {
  plain,  ///< depending on its attributes
  named,  ///< yes, because of its name: h1, time, article
  mute,   ///< never: the element has no text and is frequent
  data,   ///< yes: data about the page that is not shown: meta, script, title
};

/// Properties of open elements for tree construction. They are bits so that searches of the stack need not
/// compare names.
enum ElementFlag : std::uint16_t {
  kHtmlElement = 1 << 0,     // in the HTML namespace
  kSpecial = 1 << 1,         // the standard's "special" category
  kScope = 1 << 2,           // ends "in scope"
  kListScope = 1 << 3,       // ends "in list item scope"
  kButtonScope = 1 << 4,     // ends "in button scope"
  kTableScope = 1 << 5,      // ends "in table scope"
  kImpliedEnd = 1 << 6,      // closed by "generate implied end tags"
  kThoroughEnd = 1 << 7,     // closed by "generate all implied end tags thoroughly"
  kHeading = 1 << 8,         // h1 to h6
  kFosters = 1 << 9,         // table, tbody, tfoot, thead, tr: misplaced content moves before the table
  kMathTextPoint = 1 << 10,  // MathML text integration point
  kHtmlPoint = 1 << 11,      // HTML integration point
  kListItemStop = 1 << 12,   // special, but not address, div or p: ends the search for an open li, dd or dt
};
inline constexpr std::uint16_t kAllScopes = kScope | kListScope | kButtonScope;

/// The properties of an HTML element. The rows are in element_table.h.
struct ElementTraits {
  Name name = Name::none;
  ElementKind kind = ElementKind::inside;
  OutlineRole outline = OutlineRole::by_kind;
  TextKind text = TextKind::other;
  MetadataRole metadata = MetadataRole::plain;
  bool is_void = false;    ///< has no end tag and no content
  std::uint16_t tree = 0;  ///< bits of ElementFlag
};

}  // namespace sheaf::html
