#include "sheaf/html/dom.h"

#include "sheaf/text/text_compare.h"

#include <cassert>
#include <cstring>

namespace sheaf::html {

Document::Document() { reset({}); }

void Document::reset(std::string_view input) {
  nodes_.clear();
  attributes_.clear();
  text_.clear();
  names_.clear();
  input_ = input.data();
  input_size_ = input.size();
  quirks_ = QuirksMode::no_quirks;
  root_ = kDocumentNode;
  nodes_.emplace_back();
  add_node(NodeKind::document, 0);
}

Doctype Document::doctype(NodeId node) const {
  const Node& n = nodes_[node];
  assert(n.kind == NodeKind::doctype);
  const Attribute* parts = attributes_.data() + n.data_begin;
  const auto optional = [&](const Attribute& part) {
    return part.ns == kMissingPart ? std::nullopt : std::optional(view(part.value));
  };
  return {view(parts[0].value), optional(parts[1]), optional(parts[2])};
}

std::optional<std::string_view> Document::attribute(NodeId node, std::string_view name) const {
  // Elements have few attributes, so comparing each name is cheaper than a lookup in the name table.
  for (const Attribute& attribute : attributes(node))
    if (attribute.ns == AttributeNamespace::none && names_.text(attribute.name) == name)
      return view(attribute.value);
  return std::nullopt;
}

std::size_t Document::memory() const {
  return nodes_.size() * sizeof(Node) + attributes_.size() * sizeof(Attribute) + text_.size() +
         names_.memory();
}

std::size_t Document::capacity() const {
  return nodes_.capacity() * sizeof(Node) + attributes_.capacity() * sizeof(Attribute) + text_.capacity() +
         names_.memory();
}

void Document::insert_before(NodeId child, NodeId sibling) {
  Node& c = nodes_[child];
  Node& s = nodes_[sibling];
  c.parent = s.parent;
  c.next = sibling;
  c.previous = s.previous;
  Node& p = nodes_[s.parent];
  if (p.first_child == sibling) {
    p.first_child = child;
  } else {
    nodes_[s.previous].next = child;
  }
  s.previous = child;
}

void Document::remove(NodeId node) {
  Node& n = nodes_[node];
  if (n.parent == kNoNode) return;
  Node& p = nodes_[n.parent];
  if (p.first_child == node) {
    p.first_child = n.next;
    if (n.next != kNoNode) nodes_[n.next].previous = n.previous;
  } else {
    nodes_[n.previous].next = n.next;
    // The next sibling points back to the previous one; if this was the last child, the first child does.
    nodes_[n.next != kNoNode ? n.next : p.first_child].previous = n.previous;
  }
  n.parent = n.next = n.previous = kNoNode;
}

void Document::move_children(NodeId from, NodeId to) {
  NodeId child = nodes_[from].first_child;
  nodes_[from].first_child = kNoNode;
  while (child != kNoNode) {
    const NodeId following = nodes_[child].next;
    append_child(to, child);
    child = following;
  }
}

// Appends to a text node. A text has several parts if there is markup without nodes between them, or if a
// character is a reference. While the parts are adjacent in the input, the view of the input grows. Otherwise
// the text moves to text_, where its capacity doubles, so a text of n bytes costs O(n) for any number of
// parts.
void Document::append_text(NodeId node, std::string_view text) {
  Node& n = nodes_[node];
  constexpr std::size_t header = sizeof(std::uint32_t);
  if (!n.growable && is_input(text) && n.data_begin < input_size_ &&
      text.data() == input_ + n.data_begin + n.data_size) {
    n.data_size += static_cast<std::uint32_t>(text.size());
    return;
  }
  const std::size_t size = n.data_size + text.size();
  std::uint32_t room = 0;
  if (n.growable) std::memcpy(&room, text_.data() + (n.data_begin - input_size_ - header), header);
  const bool at_end = n.growable && n.data_begin - input_size_ + room == text_.size();
  if (!n.growable || (size > room && !at_end)) {
    const std::string_view old = view({n.data_begin, n.data_size});
    room = static_cast<std::uint32_t>(n.growable ? size * 2 : size);
    const std::size_t at = text_.size();
    const bool own = n.data_size != 0 && !is_input(old);
    const std::size_t old_at = own ? static_cast<std::size_t>(old.data() - text_.data()) : 0;
    text_.resize(at + header + room);
    std::memcpy(text_.data() + at + header, own ? text_.data() + old_at : old.data(), n.data_size);
    n.data_begin = static_cast<std::uint32_t>(input_size_ + at + header);
    n.growable = true;
  } else if (size > room) {
    room = static_cast<std::uint32_t>(size);
    text_.resize(n.data_begin - input_size_ + size);
  }
  char* data = text_.data() + (n.data_begin - input_size_);
  std::memcpy(data - header, &room, header);
  std::memcpy(data + n.data_size, text.data(), text.size());
  n.data_size = static_cast<std::uint32_t>(size);
}

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
