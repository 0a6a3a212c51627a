#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/element_table.h"

#include <cstddef>
#include <cstdint>
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

}  // namespace sheaf::html
