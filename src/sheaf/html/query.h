#pragma once

#include "sheaf/html/dom.h"

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {

// Walks over a Document. They are not recursive, so depth does not matter. The content of a template is not
// part of the page and is skipped, as in DOM queries; start from its fragment node to visit it.

/// The node after `node` in document order inside `root`, children first; kNoNode at the end.
inline NodeId next_in_order(const Document& document, NodeId node, NodeId root);
/// The same, without the content of `node`.
inline NodeId next_after(const Document& document, NodeId node, NodeId root);

/// for (NodeId node : Descendants(document, root)): all descendants of root, in document order.
class Descendants {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = NodeId;
    using difference_type = std::ptrdiff_t;
    using pointer = const NodeId*;
    using reference = NodeId;

    Iterator() = default;
    Iterator(const Document* document, NodeId node, NodeId root)
        : document_(document), node_(node), root_(root) {}
    NodeId operator*() const { return node_; }
    Iterator& operator++() {
      node_ = next_in_order(*document_, node_, root_);
      return *this;
    }
    Iterator operator++(int) {
      Iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.node_ == b.node_; }

   private:
    const Document* document_ = nullptr;
    NodeId node_ = kNoNode;
    NodeId root_ = kNoNode;
  };

  Descendants(const Document& document, NodeId root) : document_(&document), root_(root) {}
  [[nodiscard]] inline Iterator begin() const;
  [[nodiscard]] Iterator end() const { return {document_, kNoNode, root_}; }

 private:
  const Document* document_;
  NodeId root_;
};

/// for (NodeId node : Ancestors(document, start)): the parent of start, and so on up to the document node.
class Ancestors {
 public:
  class Iterator {
   public:
    Iterator(const Document* document, NodeId node) : document_(document), node_(node) {}
    NodeId operator*() const { return node_; }
    Iterator& operator++() {
      node_ = document_->parent(node_);
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.node_ == b.node_; }

   private:
    const Document* document_;
    NodeId node_;
  };

  Ancestors(const Document& document, NodeId start) : document_(&document), start_(start) {}
  [[nodiscard]] Iterator begin() const { return {document_, document_->parent(start_)}; }
  [[nodiscard]] Iterator end() const { return {document_, kNoNode}; }

 private:
  const Document* document_;
  NodeId start_;
};

/// The first HTML element with that name inside root; kNoNode if there is none.
NodeId find_first(const Document& document, NodeId root, Name name);
std::vector<NodeId> find_all(const Document& document, NodeId root, Name name);
NodeId find_by_id(const Document& document, NodeId root, std::string_view id);
std::vector<NodeId> find_by_class(const Document& document, NodeId root, std::string_view class_name);

/// Whether the class attribute has that word. In quirks mode case is ignored, as in CSS.
bool has_class(const Document& document, NodeId node, std::string_view class_name);

/// Appends all text inside a node to `out`, in document order.
void append_text_content(const Document& document, NodeId node, std::string& out);

inline NodeId next_after(const Document& document, NodeId node, NodeId root) {
  while (node != root) {
    if (document.next(node) != kNoNode) return document.next(node);
    node = document.parent(node);
  }
  return kNoNode;
}

inline NodeId next_in_order(const Document& document, NodeId node, NodeId root) {
  const NodeId child = document.first_child(node);
  if (child != kNoNode && document.kind(child) != NodeKind::fragment) return child;
  return next_after(document, node, root);
}

inline Descendants::Iterator Descendants::begin() const {
  return {document_, next_in_order(*document_, root_, root_), root_};
}

}  // namespace sheaf::html
