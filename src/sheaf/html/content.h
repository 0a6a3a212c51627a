#pragma once

#include "sheaf/html/dom.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sheaf::html {

/// Which part of a page is its content: a yes or no for every node. For a text node it says whether its text
/// belongs to the page's content, for an element without text (img, video, iframe, hr) whether the element
/// does. Of other elements it says what most of their inside is, which does not bind what is in there: a kept
/// `article` may hold a dropped share bar, a dropped `body` a kept `article`.
class ContentMap {
 public:
  /// All nodes of a document of that size get the same answer.
  void reset(std::size_t nodes, bool kept) { kept_.assign(nodes, kept ? 1 : 0); }
  void set(NodeId node, bool kept) { kept_[node] = kept ? 1 : 0; }
  [[nodiscard]] bool kept(NodeId node) const { return kept_[node] != 0; }

 private:
  std::vector<std::uint8_t> kept_;
};

}  // namespace sheaf::html
