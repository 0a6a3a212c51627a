#pragma once

#include "sheaf/html/dom.h"

#include <vector>

namespace sheaf::extract {

/// The outermost elements that no visitor sees: by the `hidden` attribute, by their style, or by a rule of
/// the page's own style sheets (display, visibility, opacity, font size, size, clipping, a position off the
/// screen, text in the color of its background). Hidden text is not content: it is what prompt injections are
/// made of.
///
/// Not hidden are panels that a visitor can open (tabs, accordions, `details`), headings and captions for
/// screen readers, and everything on pages where most of the text would be hidden: a script shows it.
///
/// In the order of node ids.
std::vector<html::NodeId> find_hidden(const html::Document& document);

}  // namespace sheaf::extract
