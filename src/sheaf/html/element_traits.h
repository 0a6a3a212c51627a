#pragma once

#include "sheaf/html/names.h"

#include <cstdint>

namespace sheaf::html {

/// The effect of an element on the text around it, without style sheets.
enum class ElementKind : std::uint8_t {
  inside,    ///< part of the line: a, b, span, and every unknown element
  block,     ///< begins and ends a block of text: p, div, li, td
  replaced,  ///< inline content that is not text: img, video, iframe, svg
  control,   ///< part of a form: input, select, button
  unseen,    ///< not shown: script, style, template, head
};

/// What the text directly inside an element is.
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
  skipped,   ///< its content is not text of the page
  image,     ///< skipped, and counted
  control,   ///< skipped, and counted
  button,    ///< a control; text if it is in a heading
  noscript,  ///< a block if it contains most of the page, else skipped
  by_kind,   ///< only in the table of elements: derived from ElementKind
};
inline constexpr OutlineRole kLastInlineRole = OutlineRole::line_break;

/// Why an element may contain metadata of the page.
enum class MetadataRole : std::uint8_t {
  plain,  ///< depends on its attributes
  named,  ///< because of its name: h1, time, article
  mute,   ///< never: it has no text, and pages have many of them
  data,   ///< data about the page that is not shown: meta, script, title
};

/// Properties of open elements for tree construction, as bits, so that searching the stack does not compare
/// names.
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
  kFosters = 1 << 9,         // table, tbody, tfoot, thead, tr: text inside goes before the table
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
  std::uint16_t tree = 0;  ///< of ElementFlag
};

}  // namespace sheaf::html
