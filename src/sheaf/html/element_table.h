#pragma once

#include "sheaf/html/name_table.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// The table of HTML elements. The parser and the modules outline, metadata and blocks look up the properties
// of elements here, so none of them needs its own list. Insertion modes and the block walker still switch on
// names, because they have a rule for each name. The table is used for every element of every page, so it is
// an array indexed by name and computed at compile time.
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

namespace detail {

inline constexpr auto kElementRows = [] {
  using enum Name;
  using enum ElementKind;
  using Role = OutlineRole;
  using Text = TextKind;
  using Meta = MetadataRole;
  // clang-format off
  return std::to_array<ElementTraits>({
    {.name = a, .outline = Role::link},
    {.name = abbr},
    {.name = acronym},
    {.name = address, .kind = block, .tree = kSpecial},
    {.name = annotation_xml},
    {.name = applet, .kind = replaced, .tree = kSpecial | kAllScopes},
    {.name = area, .kind = unseen, .is_void = true, .tree = kSpecial},
    {.name = article, .kind = block, .metadata = Meta::named, .tree = kSpecial},
    {.name = aside, .kind = block, .metadata = Meta::named, .tree = kSpecial},
    {.name = audio, .kind = replaced},
    {.name = b, .outline = Role::bold},
    {.name = base, .kind = unseen, .metadata = Meta::data, .is_void = true, .tree = kSpecial},
    {.name = basefont, .is_void = true, .tree = kSpecial},
    {.name = bdi},
    {.name = bdo},
    {.name = bgsound, .kind = unseen, .is_void = true, .tree = kSpecial},
    {.name = big},
    {.name = blockquote, .kind = block, .text = Text::quote, .tree = kSpecial},
    {.name = body, .kind = block, .metadata = Meta::data, .tree = kSpecial},
    {.name = br, .outline = Role::line_break, .metadata = Meta::mute, .is_void = true, .tree = kSpecial},
    {.name = button, .kind = control, .outline = Role::button, .metadata = Meta::mute, .tree = kSpecial | kButtonScope},
    {.name = canvas, .kind = replaced},
    {.name = caption, .kind = block, .text = Text::caption, .tree = kSpecial | kAllScopes | kThoroughEnd},
    {.name = center, .kind = block, .tree = kSpecial},
    {.name = cite},
    {.name = code, .outline = Role::code},
    {.name = col, .kind = unseen, .is_void = true, .tree = kSpecial},
    {.name = colgroup, .kind = unseen, .tree = kSpecial | kThoroughEnd},
    {.name = data},
    {.name = datalist, .kind = control},
    {.name = dd, .kind = block, .text = Text::definition, .tree = kSpecial | kImpliedEnd},
    {.name = del},
    {.name = desc},
    {.name = details, .kind = block, .tree = kSpecial},
    {.name = dfn},
    {.name = dialog, .kind = block},
    {.name = dir, .kind = block, .tree = kSpecial},
    {.name = div, .kind = block, .tree = kSpecial},
    {.name = dl, .kind = block, .tree = kSpecial},
    {.name = dt, .kind = block, .text = Text::term, .tree = kSpecial | kImpliedEnd},
    {.name = em, .outline = Role::italic},
    {.name = embed, .kind = replaced, .is_void = true, .tree = kSpecial},
    {.name = fieldset, .kind = block, .tree = kSpecial},
    {.name = figcaption, .kind = block, .text = Text::caption, .tree = kSpecial},
    {.name = figure, .kind = block, .tree = kSpecial},
    {.name = font},
    {.name = footer, .kind = block, .metadata = Meta::named, .tree = kSpecial},
    {.name = form, .kind = block, .tree = kSpecial},
    {.name = frame, .kind = unseen, .is_void = true, .tree = kSpecial},
    {.name = frameset, .kind = block, .tree = kSpecial},
    {.name = h1, .kind = block, .text = Text::heading, .metadata = Meta::named, .tree = kSpecial | kHeading},
    {.name = h2, .kind = block, .text = Text::heading, .metadata = Meta::named, .tree = kSpecial | kHeading},
    {.name = h3, .kind = block, .text = Text::heading, .metadata = Meta::named, .tree = kSpecial | kHeading},
    {.name = h4, .kind = block, .text = Text::heading, .metadata = Meta::named, .tree = kSpecial | kHeading},
    {.name = h5, .kind = block, .text = Text::heading, .metadata = Meta::named, .tree = kSpecial | kHeading},
    {.name = h6, .kind = block, .text = Text::heading, .metadata = Meta::named, .tree = kSpecial | kHeading},
    {.name = head, .kind = unseen, .tree = kSpecial},
    {.name = header, .kind = block, .tree = kSpecial},
    {.name = hgroup, .kind = block, .tree = kSpecial},
    {.name = hr, .kind = block, .metadata = Meta::mute, .is_void = true, .tree = kSpecial},
    {.name = html, .kind = block, .metadata = Meta::data, .tree = kSpecial | kAllScopes | kTableScope},
    {.name = i, .outline = Role::italic},
    {.name = iframe, .kind = replaced, .outline = Role::image, .metadata = Meta::mute, .tree = kSpecial},
    {.name = image},
    {.name = img, .kind = replaced, .outline = Role::image, .metadata = Meta::mute, .is_void = true, .tree = kSpecial},
    {.name = input, .kind = control, .metadata = Meta::mute, .is_void = true, .tree = kSpecial},
    {.name = ins},
    {.name = isindex},
    {.name = kbd, .outline = Role::code},
    {.name = keygen, .kind = control, .is_void = true, .tree = kSpecial},
    {.name = label, .kind = control, .outline = Role::plain},
    {.name = legend, .kind = block},
    {.name = li, .kind = block, .text = Text::list_item, .tree = kSpecial | kImpliedEnd},
    {.name = link, .kind = unseen, .metadata = Meta::data, .is_void = true, .tree = kSpecial},
    {.name = listing, .kind = block, .text = Text::code, .tree = kSpecial},
    {.name = main, .kind = block, .tree = kSpecial},
    {.name = malignmark},
    {.name = map, .kind = unseen},
    {.name = mark},
    {.name = marquee, .kind = block, .tree = kSpecial | kAllScopes},
    {.name = math, .kind = replaced, .outline = Role::plain},
    {.name = menu, .kind = block, .tree = kSpecial},
    {.name = menuitem},
    {.name = meta, .kind = unseen, .metadata = Meta::data, .is_void = true, .tree = kSpecial},
    {.name = meter, .kind = control},
    {.name = mglyph},
    {.name = mi},
    {.name = mn},
    {.name = mo},
    {.name = ms},
    {.name = mtext},
    {.name = nav, .kind = block, .metadata = Meta::named, .tree = kSpecial},
    {.name = nobr},
    {.name = noembed, .kind = unseen, .tree = kSpecial},
    {.name = noframes, .kind = unseen, .tree = kSpecial},
    {.name = noscript, .kind = block, .outline = Role::noscript, .tree = kSpecial},
    {.name = object, .kind = replaced, .outline = Role::plain, .tree = kSpecial | kAllScopes},
    {.name = ol, .kind = block, .tree = kSpecial | kListScope},
    {.name = optgroup, .kind = block, .tree = kImpliedEnd},
    {.name = option, .kind = control, .metadata = Meta::mute, .tree = kImpliedEnd},
    {.name = output, .kind = control, .outline = Role::plain},
    {.name = p, .kind = block, .text = Text::paragraph, .tree = kSpecial | kImpliedEnd},
    {.name = param, .kind = unseen, .is_void = true, .tree = kSpecial},
    {.name = picture, .kind = replaced, .outline = Role::plain, .metadata = Meta::mute},
    {.name = plaintext, .kind = block, .tree = kSpecial},
    {.name = portal},
    {.name = pre, .kind = block, .text = Text::code, .tree = kSpecial},
    {.name = progress, .kind = control},
    {.name = q},
    {.name = rb, .tree = kImpliedEnd},
    {.name = rp, .kind = unseen, .tree = kImpliedEnd},
    {.name = rt, .tree = kImpliedEnd},
    {.name = rtc, .tree = kImpliedEnd},
    {.name = ruby},
    {.name = s},
    {.name = samp, .outline = Role::code},
    {.name = script, .kind = unseen, .metadata = Meta::data, .tree = kSpecial},
    {.name = search, .kind = block, .tree = kSpecial},
    {.name = section, .kind = block, .tree = kSpecial},
    {.name = select, .kind = control, .metadata = Meta::mute, .tree = kSpecial | kAllScopes},
    {.name = selectedcontent},
    {.name = slot},
    {.name = small},
    {.name = source, .kind = unseen, .metadata = Meta::mute, .is_void = true, .tree = kSpecial},
    {.name = span},
    {.name = strike},
    {.name = strong, .outline = Role::bold},
    {.name = style, .kind = unseen, .metadata = Meta::mute, .tree = kSpecial},
    {.name = sub},
    {.name = summary, .kind = block, .tree = kSpecial},
    {.name = sup},
    {.name = svg, .kind = replaced, .outline = Role::image},
    {.name = table, .kind = block, .tree = kSpecial | kAllScopes | kTableScope | kFosters},
    {.name = tbody, .kind = block, .tree = kSpecial | kThoroughEnd | kFosters},
    {.name = td, .kind = block, .text = Text::cell, .tree = kSpecial | kAllScopes | kThoroughEnd},
    {.name = template_, .kind = unseen, .tree = kSpecial | kAllScopes | kTableScope},
    {.name = textarea, .kind = control, .tree = kSpecial},
    {.name = tfoot, .kind = block, .tree = kSpecial | kThoroughEnd | kFosters},
    {.name = th, .kind = block, .text = Text::cell, .tree = kSpecial | kAllScopes | kThoroughEnd},
    {.name = thead, .kind = block, .tree = kSpecial | kThoroughEnd | kFosters},
    {.name = time, .outline = Role::time, .metadata = Meta::named},
    {.name = title, .kind = unseen, .metadata = Meta::data, .tree = kSpecial},
    {.name = tr, .kind = block, .tree = kSpecial | kThoroughEnd | kFosters},
    {.name = track, .kind = unseen, .is_void = true, .tree = kSpecial},
    {.name = tt, .outline = Role::code},
    {.name = u},
    {.name = ul, .kind = block, .tree = kSpecial | kListScope},
    {.name = var, .outline = Role::code},
    {.name = video, .kind = replaced, .outline = Role::image},
    {.name = wbr, .is_void = true, .tree = kSpecial},
    {.name = xmp, .kind = block, .text = Text::code, .tree = kSpecial},
  });
  // clang-format on
}();

constexpr OutlineRole role_by_kind(ElementKind kind) {
  switch (kind) {
    case ElementKind::block: return OutlineRole::block;
    case ElementKind::control: return OutlineRole::control;
    case ElementKind::replaced:
    case ElementKind::unseen: return OutlineRole::skipped;
    case ElementKind::inside: return OutlineRole::plain;
  }
  return OutlineRole::plain;
}

/// Completes a row with the values that can be derived from other columns.
constexpr ElementTraits complete(ElementTraits row) {
  if (row.outline == OutlineRole::by_kind) row.outline = role_by_kind(row.kind);
  unsigned tree = row.tree | kHtmlElement;
  const bool may_hold_items = row.name == Name::address || row.name == Name::div || row.name == Name::p;
  if ((tree & kSpecial) != 0 && !may_hold_items) tree |= kListItemStop;
  if ((tree & kImpliedEnd) != 0) tree |= kThoroughEnd;
  row.tree = static_cast<std::uint16_t>(tree);
  return row;
}

// The properties of all elements, by index_of(name). The last entry is for elements that are not in the
// standard.
inline constexpr auto kElements = [] {
  std::array<ElementTraits, index_of(kLastKnownElement) + 2> elements{};
  elements.fill(complete({}));
  for (const ElementTraits& row : kElementRows) elements[index_of(row.name)] = complete(row);
  return elements;
}();

constexpr bool has_one_row_for_each_element() {
  if (kElementRows.size() != index_of(kLastKnownElement)) return false;
  for (std::size_t i = 0; i < kElementRows.size(); ++i)
    if (index_of(kElementRows[i].name) != i + 1) return false;
  return true;
}
static_assert(has_one_row_for_each_element(), "one row for each element, in the order of Name");

}  // namespace detail

/// The properties of the HTML element with that name.
constexpr const ElementTraits& element_traits(Name name) {
  return detail::kElements[std::min(index_of(name), detail::kElements.size() - 1)];
}
constexpr ElementKind element_kind(Name name) { return element_traits(name).kind; }
/// The ElementFlag bits of the HTML element with that name.
constexpr std::uint16_t html_element_flags(Name name) { return element_traits(name).tree; }

/// The heading level: 1 to 6 for h1 to h6, 0 for other elements.
constexpr std::uint8_t heading_level(Name name) {
  return name >= Name::h1 && name <= Name::h6
             ? static_cast<std::uint8_t>(index_of(name) - index_of(Name::h1) + 1)
             : 0;
}

}  // namespace sheaf::html
