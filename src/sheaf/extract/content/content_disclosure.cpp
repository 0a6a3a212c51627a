// Buttons that show and hide a part of the page, such as a question above its answer.
#include "sheaf/extract/content/content_select.h"
#include "sheaf/html/dom.h"

namespace sheaf::extract {
namespace {

constexpr std::size_t kPanelNodes = 64;   // nodes of a panel or a button to look at
constexpr std::size_t kButtonLevels = 3;  // a button may be in a heading, and the heading in a header

html::NodeId next_element(const html::Document& document, html::NodeId node) {
  for (node = document.next(node); node != html::kNoNode; node = document.next(node))
    if (document.is_element(node)) return node;
  return html::kNoNode;
}

/// The element after the button, or after the element that the button ends.
html::NodeId panel_of(const html::Document& document, html::NodeId button) {
  for (std::size_t level = 0; level < kButtonLevels && button != document.root(); ++level) {
    if (const html::NodeId next = next_element(document, button); next != html::kNoNode) return next;
    button = document.parent(button);
  }
  return html::kNoNode;
}

bool is_disclosure(const html::Document& document, html::NodeId node) {
  // Only elements have names. One branch: which nodes are elements is unpredictable.
  return document.name(node) == html::Name::button &&
         (document.attribute(node, "aria-expanded") || document.attribute(node, "aria-controls"));
}

}  // namespace

/// Whether some text at the beginning of an element is kept.
bool ContentSelector::begins_kept(const html::Document& document, html::NodeId element) const {
  std::size_t looked = 0;
  for (const html::NodeId node : html::Descendants(document, element)) {
    if (document.kind(node) == html::NodeKind::text && map_.kept(node)) return true;
    if (++looked == kPanelNodes) break;
  }
  return false;
}

/// Keeps the text of a button whose panel is kept.
void ContentSelector::keep_disclosures(const html::Document& document) {
  for (html::NodeId node = document.root(); node < document.size(); ++node) {
    if (!is_disclosure(document, node)) continue;
    const html::NodeId panel = panel_of(document, node);
    if (panel == html::kNoNode || !begins_kept(document, panel)) continue;
    std::size_t looked = 0;
    for (const html::NodeId inside : html::Descendants(document, node)) {
      map_.set(inside, true);
      if (++looked == kPanelNodes) break;  // a question is short
    }
    clear_skip_marks_above(document, node);
  }
}

}  // namespace sheaf::extract
