#pragma once

#include "sheaf/html/name_table.h"
#include "sheaf/text/padded_text.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {

/// Identifies a node by its index in the document's array. Indices are in the order in which the parser
/// created the nodes, which is usually, but not always, document order. Two indices are fixed.
using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0;
inline constexpr NodeId kDocumentNode = 1;

/// `fragment` is the only child of a template element and the parent of the template's content.
enum class NodeKind : std::uint8_t { document, doctype, element, text, comment, fragment };
enum class Namespace : std::uint8_t { html, svg, mathml };
enum class AttributeNamespace : std::uint8_t { none, xlink, xml, xmlns };
enum class QuirksMode : std::uint8_t { no_quirks, limited_quirks, quirks };

/// A reference to text. Offsets below the size of the input point into the input; higher offsets, minus that
/// size, point into the document's own text.
struct TextRef {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
};

struct Attribute {
  TextRef value;
  Name name = Name::none;
  AttributeNamespace ns = AttributeNamespace::none;
};

struct Doctype {
  std::string_view name;
  std::optional<std::string_view> public_id;
  std::optional<std::string_view> system_id;
};

/// The tree that the HTML standard defines for a page. Created by parse() (parser.h). Parsing again into the
/// same Document reuses its memory, so further pages need no allocation.
///
/// Text and attribute values that the parser did not have to change are views of the input, which must
/// outlive the use of the tree. The next parse invalidates all views and ids.
class Document {
 public:
  Document();

  /// The number of nodes created, including the unused node 0. Valid ids are less than size(). Some nodes may
  /// be detached from the tree.
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] QuirksMode quirks_mode() const { return quirks_; }
  /// The parent of the parsed nodes: the document, or the root element created for a fragment.
  [[nodiscard]] NodeId root() const { return root_; }

  [[nodiscard]] NodeKind kind(NodeId node) const { return nodes_[node].kind; }
  [[nodiscard]] bool is_element(NodeId node) const { return nodes_[node].kind == NodeKind::element; }
  /// Whether the node is an HTML element (not an SVG or MathML element) with that name.
  [[nodiscard]] bool is_html(NodeId node, Name name) const {
    return is_element(node) && nodes_[node].name == name && nodes_[node].ns == Namespace::html;
  }
  /// The name of an element; Name::none for other nodes.
  [[nodiscard]] Name name(NodeId node) const { return nodes_[node].name; }
  [[nodiscard]] Namespace ns(NodeId node) const { return nodes_[node].ns; }
  [[nodiscard]] std::string_view name_text(NodeId node) const { return names_.text(nodes_[node].name); }
  [[nodiscard]] const NameTable& names() const { return names_; }

  [[nodiscard]] NodeId parent(NodeId node) const { return nodes_[node].parent; }
  [[nodiscard]] NodeId first_child(NodeId node) const { return nodes_[node].first_child; }
  [[nodiscard]] NodeId last_child(NodeId node) const { return nodes_[nodes_[node].first_child].previous; }
  [[nodiscard]] NodeId next(NodeId node) const { return nodes_[node].next; }
  [[nodiscard]] NodeId previous(NodeId node) const {
    const NodeId before = nodes_[node].previous;
    return nodes_[before].next == node ? before : kNoNode;
  }
  /// The offset in the input of the node's markup or first character; for elements without a tag, the
  /// position of the parser when it created them.
  [[nodiscard]] std::uint32_t source_offset(NodeId node) const { return nodes_[node].source_offset; }

  /// The data of a text or comment node; empty for other nodes.
  [[nodiscard]] std::string_view text(NodeId node) const;
  [[nodiscard]] Doctype doctype(NodeId node) const;

  /// Whether the node is an element with at least `count` attributes.
  [[nodiscard]] bool has_attributes(NodeId node, std::uint32_t count) const {
    const Node& n = nodes_[node];
    return (n.kind == NodeKind::element) & (n.data_size >= count);
  }
  /// The attributes of an element, in source order; empty for other nodes.
  [[nodiscard]] std::span<const Attribute> attributes(NodeId node) const;
  [[nodiscard]] std::string_view value(const Attribute& attribute) const { return view(attribute.value); }
  /// The value of the attribute with that name and without a namespace.
  [[nodiscard]] std::optional<std::string_view> attribute(NodeId node, Name name) const;
  [[nodiscard]] std::optional<std::string_view> attribute(NodeId node, std::string_view name) const;

  /// The input of the tree, truncated at the size limit.
  [[nodiscard]] std::string_view input() const { return {input_, input_size_}; }
  /// A text of this document as a PaddedText. If the text is part of the input, the rest of the input is its
  /// padding.
  [[nodiscard]] text::PaddedText padded(std::string_view text) const {
    return is_input(text) ? text::PaddedText::inside(text, input()) : text::PaddedText(text);
  }
  /// The text that the parser had to change. Views that do not point into the input point into this text.
  [[nodiscard]] std::string_view own_text() const { return text_; }
  /// Bytes used by the nodes, attributes, text and unknown names of this document, without the input.
  [[nodiscard]] std::size_t memory() const;
  /// The same, but with the bytes allocated for nodes, attributes and text.
  [[nodiscard]] std::size_t capacity() const;

 private:
  friend class Tokenizer;
  friend class TreeBuilder;

  // A node takes 32 bytes, so two fit in a cache line. `previous` of a first child is the last child, which
  // saves a field.
  struct Node {
    NodeId parent = kNoNode;
    NodeId first_child = kNoNode;
    NodeId next = kNoNode;
    NodeId previous = kNoNode;
    std::uint32_t data_begin =
        0;  // text, comment: a TextRef; element, doctype: attributes_[begin, begin + size)
    std::uint32_t data_size = 0;
    std::uint32_t source_offset = 0;
    Name name = Name::none;
    NodeKind kind = NodeKind::document;
    Namespace ns : 2 = Namespace::html;
    bool open : 1 = false;      // element: is on the stack of open elements
    bool listed : 1 = false;    // element: is in the list of active formatting elements
    bool growable : 1 = false;  // text: stored in text_, with its capacity in the four bytes before it
  };
  static_assert(sizeof(Node) == 32);

  // A doctype stores its name, public identifier and system identifier as three attributes. This value marks
  // a missing identifier.
  static constexpr AttributeNamespace kMissingPart = AttributeNamespace::xmlns;

  void reset(std::string_view input);
  NodeId add_node(NodeKind kind, std::uint32_t source_offset);
  void append_child(NodeId parent, NodeId child);
  void insert_before(NodeId child, NodeId sibling);
  void remove(NodeId node);
  void move_children(NodeId from, NodeId to);

  [[nodiscard]] std::string_view view(TextRef ref) const {
    return ref.begin < input_size_ ? std::string_view(input_ + ref.begin, ref.size)
                                   : std::string_view(text_.data() + (ref.begin - input_size_), ref.size);
  }
  [[nodiscard]] bool is_input(std::string_view text) const {
    return text.data() >= input_ && text.data() < input_ + input_size_;
  }
  /// Returns a reference to `text`. Copies the text if it is not part of the input.
  TextRef keep(std::string_view text);
  void append_text(NodeId node, std::string_view text);
  [[nodiscard]] std::uint32_t text_end() const {
    return static_cast<std::uint32_t>(input_size_ + text_.size());
  }

  std::vector<Node> nodes_;
  std::vector<Attribute> attributes_;
  std::string text_;
  NameTable names_;
  const char* input_ = nullptr;
  std::size_t input_size_ = 0;
  NodeId root_ = kDocumentNode;
  QuirksMode quirks_ = QuirksMode::no_quirks;
};

// These functions run for every node. They are defined here so that tree construction and tree walks can
// inline them.

inline NodeId Document::add_node(NodeKind kind, std::uint32_t source_offset) {
  const auto id = static_cast<NodeId>(nodes_.size());
  Node& node = nodes_.emplace_back();
  node.kind = kind;
  node.source_offset = source_offset;
  return id;
}

inline void Document::append_child(NodeId parent, NodeId child) {
  Node& p = nodes_[parent];
  Node& c = nodes_[child];
  c.parent = parent;
  c.next = kNoNode;
  if (p.first_child == kNoNode) {
    p.first_child = child;
    c.previous = child;
    return;
  }
  Node& first = nodes_[p.first_child];
  c.previous = first.previous;
  nodes_[first.previous].next = child;
  first.previous = child;
}

inline std::string_view Document::text(NodeId node) const {
  const Node& n = nodes_[node];
  if (n.kind != NodeKind::text && n.kind != NodeKind::comment) return {};
  return view({n.data_begin, n.data_size});
}

inline std::span<const Attribute> Document::attributes(NodeId node) const {
  const Node& n = nodes_[node];
  if (n.kind != NodeKind::element) return {};
  return {attributes_.data() + n.data_begin, n.data_size};
}

inline std::optional<std::string_view> Document::attribute(NodeId node, Name name) const {
  for (const Attribute& attribute : attributes(node))
    if (attribute.name == name && attribute.ns == AttributeNamespace::none) return view(attribute.value);
  return std::nullopt;
}

inline TextRef Document::keep(std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  if (is_input(text)) return {static_cast<std::uint32_t>(text.data() - input_), size};
  const TextRef ref{text_end(), size};
  text_ += text;
  return ref;
}

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
