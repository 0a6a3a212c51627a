#pragma once

#include "sheaf/html/names.h"

#include <array>
#include <cstdint>
#include <initializer_list>

namespace sheaf::html {

/// What tree construction asks about an open element, as bits, so that a walk of the stack compares no names.
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

namespace detail {

using ElementFlags = std::array<std::uint16_t, index_of(kLastKnownElement) + 1>;

constexpr void add_flags(ElementFlags& flags, std::uint16_t add, std::initializer_list<Name> names) {
  for (const Name name : names)
    flags[index_of(name)] = static_cast<std::uint16_t>(flags[index_of(name)] | add);
}

constexpr ElementFlags make_element_flags() {
  using enum Name;
  ElementFlags flags{};
  flags.fill(kHtmlElement);
  add_flags(
      flags, kSpecial | kListItemStop,
      {applet,   area,     article,    aside,    base,     basefont, bgsound, blockquote, body, br,
       button,   caption,  center,     col,      colgroup, dd,       details, dir,        dl,   dt,
       embed,    fieldset, figcaption, figure,   footer,   form,     frame,   frameset,   h1,   h2,
       h3,       h4,       h5,         h6,       head,     header,   hgroup,  hr,         html, iframe,
       img,      input,    keygen,     li,       link,     listing,  main,    marquee,    menu, meta,
       nav,      noembed,  noframes,   noscript, object,   ol,       param,   plaintext,  pre,  script,
       search,   section,  select,     source,   style,    summary,  table,   tbody,      td,   template_,
       textarea, tfoot,    th,         thead,    title,    tr,       track,   ul,         wbr,  xmp});
  add_flags(flags, kSpecial, {address, div, p});
  add_flags(flags, kAllScopes, {applet, caption, html, table, td, th, marquee, object, select, template_});
  add_flags(flags, kListScope, {ol, ul});
  add_flags(flags, kButtonScope, {button});
  add_flags(flags, kTableScope, {html, table, template_});
  add_flags(flags, kImpliedEnd | kThoroughEnd, {dd, dt, li, optgroup, option, p, rb, rp, rt, rtc});
  add_flags(flags, kThoroughEnd, {caption, colgroup, tbody, td, tfoot, th, thead, tr});
  add_flags(flags, kHeading, {h1, h2, h3, h4, h5, h6});
  add_flags(flags, kFosters, {table, tbody, tfoot, thead, tr});
  return flags;
}

inline constexpr ElementFlags kElementFlags = make_element_flags();

}  // namespace detail

constexpr std::uint16_t html_element_flags(Name name) {
  if (name > kLastKnownElement) return kHtmlElement;
  return detail::kElementFlags[index_of(name)];
}

}  // namespace sheaf::html
