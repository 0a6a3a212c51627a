#include "sheaf/extract/blocks/block_links.h"

#include "sheaf/html/text_value.h"

namespace sheaf::extract {

/// The first base element with a href counts. It belongs into the head; too few pages have it elsewhere to
/// justify searching every page.
void LinkResolver::find_base() {
  looked_ = true;
  html::NodeId html = document_->first_child(document_->root());
  while (html != html::kNoNode && !document_->is_html(html, html::Name::html)) html = document_->next(html);
  if (html != html::kNoNode) {
    const html::NodeId head = document_->first_child(html);
    for (html::NodeId node = head == html::kNoNode ? html::kNoNode : document_->first_child(head);
         node != html::kNoNode; node = document_->next(node)) {
      if (!document_->is_html(node, html::Name::base)) continue;
      const auto href = document_->attribute(node, html::Name::href);
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

std::optional<Text> LinkResolver::resolve(std::string_view reference) {
  const auto url = parse(reference);
  if (!url) return std::nullopt;
  return keep(url->href());
}

Text LinkResolver::keep(std::string_view href) { return html::url_text(href, *arena_); }

}  // namespace sheaf::extract
