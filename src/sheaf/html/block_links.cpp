#include "sheaf/html/block_links.h"

#include <string>

namespace sheaf::html {

/// The first base element that has an address counts. It belongs in the head; pages that put it elsewhere are
/// too few to pay for a search of every page.
void LinkResolver::find_base() {
  looked_ = true;
  NodeId html = document_->first_child(document_->root());
  while (html != kNoNode && !document_->is_html(html, Name::html)) html = document_->next(html);
  if (html != kNoNode) {
    const NodeId head = document_->first_child(html);
    for (NodeId node = head == kNoNode ? kNoNode : document_->first_child(head); node != kNoNode;
         node = document_->next(node)) {
      if (!document_->is_html(node, Name::base)) continue;
      const auto href = document_->attribute(node, Name::href);
      if (!href) continue;
      base_ = base::Url::parse(*href, page_);
      break;
    }
  }
  if (!base_ && page_ != nullptr) base_ = *page_;
}

std::optional<base::Url> LinkResolver::parse(std::string_view reference) {
  if (!looked_) find_base();
  return base::Url::parse(reference, base_ ? &*base_ : nullptr);
}

std::optional<model::Text> LinkResolver::resolve(std::string_view reference) {
  const auto url = parse(reference);
  if (!url) return std::nullopt;
  return keep(url->href());
}

// The URL standard leaves a backslash in a query or a fragment; readers of collections refuse it anywhere.
model::Text LinkResolver::keep(std::string_view href) {
  if (href.find('\\') == std::string_view::npos) return arena_->copy(href);
  std::string escaped;
  for (const char c : href) {
    if (c == '\\') {
      escaped += "%5C";
    } else {
      escaped += c;
    }
  }
  return arena_->copy(escaped);
}

}  // namespace sheaf::html
