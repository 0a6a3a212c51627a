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
  void reset(std::size_t nodes, bool kept) { answers_.assign(nodes, kept ? Answer::kept : Answer::dropped); }
  void set(NodeId node, bool kept) { answers_[node] = kept ? Answer::kept : Answer::dropped; }
  [[nodiscard]] bool kept(NodeId node) const { return answers_[node] == Answer::kept; }

  /// Nothing inside the node is kept either: who looks for content need not look into it.
  void drop_whole(NodeId node) { answers_[node] = Answer::dropped_whole; }
  [[nodiscard]] bool is_dropped_whole(NodeId node) const { return answers_[node] == Answer::dropped_whole; }

 private:
  enum class Answer : std::uint8_t { dropped, kept, dropped_whole };

  std::vector<Answer> answers_;
};

}  // namespace sheaf::html
