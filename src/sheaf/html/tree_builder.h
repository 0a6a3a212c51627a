#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/element_table.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {

struct OpenElement {
  NodeId node = kNoNode;
  NodeId inside = kNoNode;  // the parent of its children: the element itself, or the content of a template
  Name name = Name::none;   // the name of an HTML element; none for SVG and MathML elements
  std::uint16_t flags = 0;  // ElementFlag

  [[nodiscard]] bool has(std::uint16_t flag) const { return (flags & flag) != 0; }
  [[nodiscard]] bool is_html() const { return has(kHtmlElement); }
};

/// The stack of open elements. The first entry is the html element, the last one the current node.
///
/// Beyond the depth limit, a new element temporarily replaces the top of the stack, which is restored when
/// the new element is popped. Searches do not see replaced elements, so the limit bounds their cost.
/// Well-formed pages are not affected.
class OpenElements {
 public:
  OpenElements(std::uint32_t limit, std::uint64_t& steps) : limit_(limit < 4 ? 4 : limit), steps_(steps) {
    visible_.reserve(64);
  }

  [[nodiscard]] std::size_t size() const { return visible_.size(); }
  [[nodiscard]] bool is_empty() const { return visible_.empty(); }
  [[nodiscard]] bool is_full() const { return visible_.size() >= limit_; }
  [[nodiscard]] const OpenElement& top() const { return visible_.back(); }
  [[nodiscard]] const OpenElement& operator[](std::size_t i) const { return visible_[i]; }
  OpenElement& operator[](std::size_t i) { return visible_[i]; }

  void push(const OpenElement& element) {
    count_paragraph(element, 1);
    if (is_full() || !aside_.empty()) [[unlikely]] {
      aside_.push_back(visible_.back());
      visible_.back() = element;
      return;
    }
    visible_.push_back(element);
  }
  /// Removes the current node and returns it.
  OpenElement pop() {
    const OpenElement element = visible_.back();
    count_paragraph(element, -1);
    visible_.pop_back();
    if (!aside_.empty()) [[unlikely]] {
      visible_.push_back(aside_.back());
      aside_.pop_back();
    }
    return element;
  }
  void erase(std::size_t i) {
    if (i + 1 == visible_.size()) {
      pop();
    } else {
      count_paragraph(visible_[i], -1);
      visible_.erase(visible_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  void insert(std::size_t i, const OpenElement& element) {
    count_paragraph(element, 1);
    visible_.insert(visible_.begin() + static_cast<std::ptrdiff_t>(i), element);
  }

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  [[nodiscard]] std::size_t index_of_node(NodeId node) const {
    return find_from_top([node](const OpenElement& element) { return element.node == node; });
  }
  [[nodiscard]] std::size_t last(Name name) const {
    return find_from_top([name](const OpenElement& element) { return element.name == name; });
  }
  [[nodiscard]] bool contains(Name name) const { return last(name) != npos; }

  /// "Has a particular element in the specific scope". `scope` is the flag of the scope.
  [[nodiscard]] bool has_in(std::uint16_t scope, Name name) const {
    return has_in_scope(scope, [name](const OpenElement& element) { return element.name == name; });
  }
  /// Called for every block element. Paragraphs are counted, because usually none is open and the search can
  /// be skipped.
  [[nodiscard]] bool has_paragraph_in_button_scope() const {
    return paragraphs_ != 0 && has_in(kButtonScope, Name::p);
  }
  [[nodiscard]] bool has_node_in_scope(NodeId node) const {
    return has_in_scope(kScope, [node](const OpenElement& element) { return element.node == node; });
  }
  [[nodiscard]] bool has_flag_in_scope(std::uint16_t flag) const {
    return has_in_scope(kScope, [flag](const OpenElement& element) { return element.has(flag); });
  }
  [[nodiscard]] bool has_any_in(std::uint16_t scope, Name a, Name b, Name c) const {
    return has_in_scope(scope, [=](const OpenElement& element) {
      return element.name == a || element.name == b || element.name == c;
    });
  }

 private:
  void count_paragraph(const OpenElement& element, int by) {
    paragraphs_ += element.name == Name::p ? by : 0;
  }

  template <class Match>
  [[nodiscard]] std::size_t find_from_top(Match match) const {
    std::size_t i = visible_.size();
    while (i != 0) {
      --i;
      if (match(visible_[i])) {
        steps_ += visible_.size() - i;
        return i;
      }
    }
    steps_ += visible_.size();
    return npos;
  }
  template <class Match>
  [[nodiscard]] bool has_in_scope(std::uint16_t scope, Match match) const {
    const std::size_t i =
        find_from_top([&](const OpenElement& element) { return match(element) || element.has(scope); });
    return i != npos && match(visible_[i]);
  }

  std::vector<OpenElement> visible_;
  std::vector<OpenElement> aside_;
  std::size_t limit_;
  int paragraphs_ = 0;
  std::uint64_t& steps_;
};

/// The tree construction stage of the standard. Its insertion modes are grouped by file: tree_head.cpp (up to
/// the body), tree_in_body.cpp, tree_body_end.cpp (end tags in the body, templates, framesets and after the
/// body), tree_in_table.cpp and tree_foreign.cpp. Shared code is in tree_insert.cpp.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view input, const ParseOptions& options, Document& document, ParseResult& result);
  void run();

 private:
  enum class Mode : std::uint8_t {
    initial,
    before_html,
    before_head,
    in_head,
    in_head_noscript,
    after_head,
    in_body,
    text,
    in_table,
    in_table_text,
    in_caption,
    in_column_group,
    in_table_body,
    in_row,
    in_cell,
    in_template,
    after_body,
    in_frameset,
    after_frameset,
    after_after_body,
    after_after_frameset,
  };
  /// `again`: process the token again in the new current mode. This is a loop, not recursion, because the
  /// input determines the number of repetitions.
  enum class Outcome : std::uint8_t { done, again };

  struct Place {
    NodeId parent;
    NodeId before;  // next sibling; kNoNode: insert as the last child
  };
  struct Formatting {
    NodeId node;  // kNoNode: a marker
    Name name;
  };

  // tree_builder.cpp
  Outcome dispatch(Token& token);
  Outcome in_mode(Token& token);
  Outcome in_text(Token& token);
  void skip_line_feed(Token& token);
  void start_fragment(const FragmentContext& context);
  void reset_mode();
  bool mode_for(Name name, bool last, Mode& mode) const;
  void finish();
  void fill_selected_content(NodeId selected_content);
  [[nodiscard]] NodeId chosen_option(NodeId select) const;
  void clone_children(NodeId from, NodeId to);

  // tree_head.cpp
  Outcome initial(Token& token);
  Outcome before_html(Token& token);
  Outcome before_head(Token& token);
  Outcome in_head(Token& token);
  Outcome in_head_start(Token& token);
  Outcome in_head_end(Token& token);
  Outcome in_head_noscript(Token& token);
  Outcome after_head(Token& token);
  Outcome leave_head(Token& token);
  void start_template(Token& token);
  void end_template();
  void insert_doctype(const Token& token);
  static QuirksMode quirks_of(const Token& token);

  // tree_in_body.cpp, and tree_body_end.cpp for end tags
  Outcome in_body(Token& token);
  Outcome body_start(Token& token);
  Outcome body_end(Token& token);
  Outcome body_eof(Token& token);
  void body_text(const Token& token);
  void start_html_again(const Token& token);
  void start_body_again(const Token& token);
  void start_frameset_in_body(const Token& token);
  void start_block(const Token& token);
  void start_heading(const Token& token);
  void start_form(const Token& token);
  void start_list_item(const Token& token);
  void start_description(const Token& token);
  void start_button(const Token& token);
  void start_anchor(const Token& token);
  void start_formatting(const Token& token);
  void start_nobr(const Token& token);
  void start_input(const Token& token);
  void start_hr(const Token& token);
  void start_select(const Token& token);
  void start_option(const Token& token);
  void start_optgroup(const Token& token);
  [[nodiscard]] bool is_hidden_input(const Token& token) const;
  void start_foreign_root(Token& token, Namespace ns);
  void end_block(const Token& token);
  void end_form();
  void end_paragraph(const Token& token);
  void end_list_item(const Token& token, std::uint16_t scope);
  void end_heading();
  void end_marked(const Token& token);
  void end_other(const Token& token);
  void close_paragraph();
  void close_paragraph_in_button_scope() {
    if (open_.has_paragraph_in_button_scope()) close_paragraph();
  }

  // tree_in_table.cpp
  Outcome in_table(Token& token);
  Outcome in_table_start(Token& token);
  Outcome in_table_end(Token& token);
  Outcome in_table_other(Token& token);
  Outcome in_table_text(Token& token);
  Outcome in_caption(Token& token);
  Outcome in_column_group(Token& token);
  Outcome in_table_body(Token& token);
  Outcome leave_table_body();
  Outcome in_row(Token& token);
  bool leave_row();
  Outcome in_cell(Token& token);
  bool leave_caption();
  void close_cell();
  void clear_to(std::initializer_list<Name> context);
  void add_pending(const Token& token);
  void flush_pending();

  // tree_body_end.cpp
  Outcome in_template(Token& token);
  Outcome template_eof();
  Outcome switch_template(Mode mode);
  Outcome after_body(Token& token);
  Outcome outside_body(Token& token, NodeId comments_parent);
  Outcome in_frameset(Token& token);
  Outcome after_frameset(Token& token);
  Outcome after_after_body(Token& token);
  Outcome after_after_frameset(Token& token);
  void insert_only_space(const Token& token);
  bool space_to_body(Token& token);

  // tree_foreign.cpp
  [[nodiscard]] bool is_html_content(const Token& token) const;
  Outcome in_foreign(Token& token);
  Outcome foreign_start(Token& token);
  Outcome foreign_end(Token& token);
  [[nodiscard]] bool breaks_out(const Token& token) const;
  Outcome leave_foreign(Token& token);
  [[nodiscard]] bool is_annotation_xml() const;
  void insert_foreign(Token& token, Namespace ns);
  void adjust_attributes(const Token& token, Namespace ns);
  [[nodiscard]] std::uint16_t foreign_flags(Name name, Namespace ns, std::uint32_t attribute_begin,
                                            std::uint32_t attribute_count) const;
  [[nodiscard]] Namespace adjusted_namespace() const;

  // tree_insert.cpp
  [[nodiscard]] Place place() const;
  [[nodiscard]] Place place_in(const OpenElement& target) const;
  [[nodiscard]] Place foster_place() const;
  void attach(Place where, NodeId node);
  NodeId make_element(Name name, Namespace ns, std::uint32_t attribute_begin, std::uint32_t attribute_count);
  NodeId clone_element(NodeId node);
  void attach_deeper(NodeId node);
  void push(NodeId node, Name html_name, std::uint16_t flags);
  NodeId insert(const Token& token);
  NodeId insert(Name name);
  void insert_void(const Token& token);
  void insert_raw(const Token& token, TextMode mode);
  void insert_text(std::string_view text, std::uint32_t offset);
  void insert_comment(const Token& token, Place where);
  void insert_comment(const Token& token) { insert_comment(token, place()); }
  void add_attributes(NodeId node, const Token& token);
  void pop();
  void pop_until(Name name);
  void pop_until_node(NodeId node);
  void remove_open(std::size_t index);
  void close_implied(Name except = Name::none);
  void close_implied_thoroughly();
  /// Whether other modes process the element by the rules of "in head".
  static bool is_head_content(Name name);
  /// Removes and returns the white space at the front of a text token.
  static std::string_view take_space(Token& token);
  /// Inserts the white space at the front of a text token. Returns true if no other text is left.
  bool insert_space(Token& token);
  /// Drops the white space at the front of a text token. Returns true if no other text is left.
  static bool drop_space(Token& token);

  // tree_insert.cpp: the list of active formatting elements
  void reconstruct_formatting() {
    if (formatting_.empty()) return;
    const NodeId last = formatting_.back().node;
    if (last != kNoNode && !document_.nodes_[last].open) reopen_formatting();
  }
  void reopen_formatting();
  void push_formatting(NodeId node, Name name);
  void push_marker() { formatting_.push_back({kNoNode, Name::none}); }
  void clear_formatting_to_marker();
  void erase_formatting(std::size_t index);
  void forget_formatting(NodeId node);
  [[nodiscard]] std::size_t find_formatting(Name name) const;
  [[nodiscard]] std::size_t find_formatting_node(NodeId node) const;
  [[nodiscard]] bool same_attributes(NodeId a, NodeId b);
  void adopt(const Token& token);
  bool adopt_once(const Token& token);
  void adopt_around(std::size_t formatting_at, std::size_t open_at, std::size_t furthest_at);

  [[nodiscard]] bool is_fragment() const { return options_.fragment.has_value(); }
  [[nodiscard]] bool is_fragment_of(Name name) const { return context_ == name; }
  [[nodiscard]] Name current() const { return open_.top().name; }

  Document& document_;
  const ParseOptions& options_;
  ParseResult& result_;
  Tokenizer tokenizer_;
  OpenElements open_;
  std::vector<Formatting> formatting_;
  std::vector<Mode> template_modes_;
  Mode mode_ = Mode::initial;
  Mode original_mode_ = Mode::initial;
  bool frameset_ok_ = true;
  bool foster_ = false;
  bool skip_line_feed_ = false;
  bool has_selected_content_ = false;
  NodeId head_ = kNoNode;
  NodeId form_ = kNoNode;
  Name context_ = Name::none;  // context element of a fragment, if it is an HTML element
  std::uint32_t offset_ = 0;   // offset of the current token
  // "Pending table character tokens": a single view while the pieces are adjacent in the input, else a copy.
  std::string_view pending_;
  std::string pending_copy_;
  std::uint32_t pending_offset_ = 0;
};

// These functions run for every element, so they are defined here and can be inlined in all insertion modes.

// "Appropriate place for inserting a node".
inline TreeBuilder::Place TreeBuilder::place_in(const OpenElement& target) const {
  if (!foster_ || !target.has(kFosters)) [[likely]]
    return {target.inside, kNoNode};
  return foster_place();
}

inline TreeBuilder::Place TreeBuilder::place() const { return place_in(open_.top()); }

inline void TreeBuilder::attach(Place where, NodeId node) {
  if (where.before == kNoNode) {
    document_.append_child(where.parent, node);
  } else {
    document_.insert_before(node, where.before);
  }
}

// Inserts an element that becomes the current node. At the depth limit it becomes a sibling of its parent.
inline void TreeBuilder::attach_deeper(NodeId node) {
  Place where = place();
  if (open_.is_full() && where.parent == open_.top().inside) [[unlikely]] {
    result_.limits.depth = true;
    where.parent = open_[open_.size() - 2].inside;
  }
  attach(where, node);
}

inline NodeId TreeBuilder::make_element(Name name, Namespace ns, std::uint32_t attribute_begin,
                                        std::uint32_t attribute_count) {
  const NodeId id = document_.add_node(NodeKind::element, offset_);
  Document::Node& node = document_.nodes_[id];
  node.name = name;
  node.ns = ns;
  node.data_begin = attribute_begin;
  node.data_size = attribute_count;
  return id;
}

inline void TreeBuilder::push(NodeId node, Name html_name, std::uint16_t flags) {
  NodeId inside = node;
  if (html_name == Name::template_) {
    inside = document_.add_node(NodeKind::fragment, offset_);
    document_.append_child(node, inside);
  }
  document_.nodes_[node].open = true;
  open_.push({node, inside, html_name, flags});
}

inline NodeId TreeBuilder::insert(const Token& token) {
  tokenizer_.keep_attributes();
  const NodeId node = make_element(token.name, Namespace::html, token.attribute_begin, token.attribute_count);
  attach_deeper(node);
  push(node, token.name, html_element_flags(token.name));
  return node;
}

inline void TreeBuilder::pop() { document_.nodes_[open_.pop().node].open = false; }

}  // namespace sheaf::html
