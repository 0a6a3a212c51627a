#pragma once

#include "sheaf/html/names.h"

#include <cstdint>

namespace sheaf::html {

/// What an element does to the text around it, when no style sheet says otherwise.
enum class ElementKind : std::uint8_t {
  inside,    ///< part of the line: a, b, span, and every unknown element
  block,     ///< begins and ends a block of text: p, div, li, td
  replaced,  ///< shows something of its own in the line: img, video, iframe, svg
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

/// What an element is to the outline of a page. Inline elements come first.
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
  skipped,   ///< nothing inside is text of the page
  image,     ///< skipped, and counted
  control,   ///< skipped, and counted
  button,    ///< a control, but text where it stands in a heading
  noscript,  ///< a block if it holds most of the page, else skipped
  by_kind,   ///< in the table of elements only: what ElementKind says
};
inline constexpr OutlineRole kLastInlineRole = OutlineRole::line_break;

/// Why an element may hold metadata of the page.
enum class MetadataRole : std::uint8_t {
  plain,  ///< its attributes may say so
  named,  ///< its name says so: h1, time, article
  mute,   ///< never: it has no text of its own, and pages have many
  data,   ///< it is data about the page and not shown: meta, script, title
};

/// What tree construction asks about an open element, as bits, so that walking the stack compares no names.
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
  kListItemStop = 1 << 12,   // special, but not address, div or p: ends the search of a new li, dd or dt
};
inline constexpr std::uint16_t kAllScopes = kScope | kListScope | kButtonScope;

/// What is known of an HTML element by its name. The rows are in element_table.h.
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
