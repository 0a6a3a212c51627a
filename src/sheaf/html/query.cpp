#include "sheaf/html/query.h"

#include "sheaf/text/text_compare.h"

namespace sheaf::html {

NodeId find_first(const Document& document, NodeId root, Name name) {
  for (const NodeId node : Descendants(document, root))
    if (document.is_html(node, name)) return node;
  return kNoNode;
}

std::vector<NodeId> find_all(const Document& document, NodeId root, Name name) {
  std::vector<NodeId> found;
  for (const NodeId node : Descendants(document, root))
    if (document.is_html(node, name)) found.push_back(node);
  return found;
}

NodeId find_by_id(const Document& document, NodeId root, std::string_view id) {
  for (const NodeId node : Descendants(document, root))
    if (document.attribute(node, Name::id) == id) return node;
  return kNoNode;
}

std::vector<NodeId> find_by_class(const Document& document, NodeId root, std::string_view class_name) {
  std::vector<NodeId> found;
  for (const NodeId node : Descendants(document, root))
    if (has_class(document, node, class_name)) found.push_back(node);
  return found;
}

bool has_class(const Document& document, NodeId node, std::string_view class_name) {
  const auto value = document.attribute(node, Name::class_);
  if (!value) return false;
  return text::has_word(
      *value, class_name,
      document.quirks_mode() == QuirksMode::quirks ? text::TextCase::ignore : text::TextCase::exact);
}

void append_text_content(const Document& document, NodeId node, std::string& out) {
  out += document.kind(node) == NodeKind::text ? document.text(node) : std::string_view();
  for (const NodeId inside : Descendants(document, node))
    if (document.kind(inside) == NodeKind::text) out += document.text(inside);
}

}  // namespace sheaf::html
