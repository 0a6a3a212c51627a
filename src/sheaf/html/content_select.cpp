#include "sheaf/html/content_select.h"

#include "sheaf/html/element_kind.h"
#include "sheaf/html/query.h"

namespace sheaf::html {

const ContentMap& ContentSelector::select(const Document& document) {
  map_.reset(document.size(), false);
  NodeId node = next_in_order(document, document.root(), document.root());
  while (node != kNoNode) {
    const Name name = document.name(node);
    const bool skip =
        document.is_element(node) &&
        (element_kind(name) == ElementKind::unseen || element_kind(name) == ElementKind::control ||
         name == Name::nav || name == Name::footer || name == Name::noscript);
    map_.set(node, !skip);
    node =
        skip ? next_after(document, node, document.root()) : next_in_order(document, node, document.root());
  }
  return map_;
}

}  // namespace sheaf::html
