#pragma once

#include "sheaf/html/dom.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sheaf::extract {

class PageOutline;

/// Says for every node of a page whether it is content. For a text node and for an element without text (img,
/// video, iframe, hr) the answer is exact. For other elements it describes most of what they contain, and the
/// nodes inside may have other answers: a kept `article` may contain a dropped share bar, and a dropped
/// `body` a kept `article`.
class ContentMap {
 public:
  enum Answer : std::uint8_t {
    kDropped = 0,
    kKept = 1,
    kDroppedWhole = 2,  ///< nothing inside is kept either, so that a walk for content can skip the element
  };

  /// Sets all nodes of a document of that size to the same answer.
  void reset(std::size_t nodes, bool kept) { reset(nodes, kept ? kKept : kDropped); }
  void reset(std::size_t nodes, Answer answer) { answers_.assign(nodes, answer); }
  void set(html::NodeId node, bool kept) { set(node, kept ? kKept : kDropped); }
  void set(html::NodeId node, Answer answer) { answers_[node] = answer; }
  /// Sets the answer of every node by its place in the outline (PageOutline::places()). `nowhere` points to
  /// the Answer of place 0; those of the other places are at their offsets from it.
  void set_by_place(const PageOutline& outline, const std::uint8_t* nowhere);

  [[nodiscard]] bool kept(html::NodeId node) const { return (answers_[node] & kKept) != 0; }
  [[nodiscard]] bool is_dropped_whole(html::NodeId node) const {
    return (answers_[node] & kDroppedWhole) != 0;
  }

 private:
  std::vector<std::uint8_t> answers_;
};

}  // namespace sheaf::extract
