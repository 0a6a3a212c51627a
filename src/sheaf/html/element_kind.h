#pragma once

#include "sheaf/html/dom.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace sheaf::html {

/// What an element does to the text around it, when no style sheet says otherwise.
enum class ElementKind : std::uint8_t {
  inside,    ///< part of the line: a, b, span, and every unknown element
  block,     ///< begins and ends a block of text: p, div, li, td
  replaced,  ///< shows something of its own in the line: img, video, iframe, svg
  control,   ///< a form's parts: input, select, button
  unseen,    ///< no part of the page a reader sees: script, style, template, head
};

namespace detail {

constexpr auto make_element_kinds() {
  using enum Name;
  std::array<ElementKind, index_of(kLastKnownElement) + 1> kinds{};
  const auto add = [&kinds](ElementKind kind, std::initializer_list<Name> names) {
    for (const Name name : names) kinds[index_of(name)] = kind;
  };
  add(ElementKind::block,
      {address, article,   aside,      blockquote, body,     caption, center,   dd,    details,  dialog,
       dir,     div,       dl,         dt,         fieldset, figure,  footer,   form,  frameset, h1,
       h2,      h3,        h4,         h5,         h6,       header,  hgroup,   hr,    html,     legend,
       li,      listing,   main,       menu,       nav,      ol,      optgroup, p,     pre,      search,
       section, summary,   table,      tbody,      td,       tfoot,   th,       thead, tr,       ul,
       xmp,     plaintext, figcaption, marquee,    noscript});
  add(ElementKind::replaced, {audio, canvas, embed, iframe, img, object, picture, svg, video, applet, math});
  add(ElementKind::control,
      {button, datalist, input, keygen, label, meter, option, output, progress, select, textarea});
  add(ElementKind::unseen, {head,  script, style, template_, title, link,  meta,    base, noembed,  noframes,
                            param, source, track, area,      map,   frame, bgsound, col,  colgroup, rp});
  return kinds;
}

inline constexpr auto kElementKinds = make_element_kinds();

}  // namespace detail

constexpr ElementKind element_kind(Name name) {
  return name > kLastKnownElement ? ElementKind::inside : detail::kElementKinds[index_of(name)];
}

/// What attributes make of an element that means nothing by its name.
inline constexpr std::string_view kHeadingRole = "heading";
inline constexpr std::string_view kDrawnFormula = "katex-html";  ///< a class: the twin of a formula

/// Whether an attribute may be one of these. One jump that is hardly ever taken, not one for each: of what
/// kind an attribute is, is anybody's guess.
constexpr bool may_mean_more(const Attribute& attribute) {
  const bool may_be_drawn = (attribute.name == Name::class_) & (attribute.value.size == kDrawnFormula.size());
  return (attribute.name == Name::role) | may_be_drawn;
}

}  // namespace sheaf::html
