#pragma once

#include "sheaf/html/dom.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sheaf::extract {

class PageOutline;

/// Which part of a page is its content: a yes or no for every node. For a text node it says whether its text
/// belongs to the page's content, for an element without text (img, video, iframe, hr) whether the element
/// does. Of other elements it says what most of their inside is, which does not bind what is in there: a kept
/// `article` may hold a dropped share bar, a dropped `body` a kept `article`.
class ContentMap {
 public:
  enum Answer : std::uint8_t {
    kDropped = 0,
    kKept = 1,
    kDroppedWhole = 2,  ///< nothing inside is kept either: who looks for content need not look into it
  };

  /// All nodes of a document of that size get the same answer.
  void reset(std::size_t nodes, bool kept) { reset(nodes, kept ? kKept : kDropped); }
  void reset(std::size_t nodes, Answer answer) { answers_.assign(nodes, answer); }
  void set(html::NodeId node, bool kept) { set(node, kept ? kKept : kDropped); }
  void set(html::NodeId node, Answer answer) { answers_[node] = answer; }
  /// Every node gets the answer, of Answer, of its place in the outline (PageOutline::places). `nowhere` is
  /// what place 0 gets; the others are around it.
  void set_by_place(const PageOutline& outline, const std::uint8_t* nowhere);

  [[nodiscard]] bool kept(html::NodeId node) const { return (answers_[node] & kKept) != 0; }
  [[nodiscard]] bool is_dropped_whole(html::NodeId node) const {
    return (answers_[node] & kDroppedWhole) != 0;
  }

 private:
  std::vector<std::uint8_t> answers_;
};

}  // namespace sheaf::extract
