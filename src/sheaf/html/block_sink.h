#pragma once

#include "sheaf/base/arena.h"
#include "sheaf/base/hash.h"
#include "sheaf/html/block_links.h"
#include "sheaf/html/block_text.h"
#include "sheaf/html/blocks.h"
#include "sheaf/html/dom.h"
#include "sheaf/model/block.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sheaf::html {

/// Addresses come from the page: with a secret key nobody can make them collide.
struct AddressHash {
  base::HashKey key = base::HashKey::random();
  std::size_t operator()(model::Text text) const { return base::keyed_hash(key, text); }
};

/// Gathers the blocks of one page: the text of the block being read, the links in it, the items of the list
/// being read, and what has to wait for the end of its paragraph. Keeps its memory between pages.
class BlockSink {
 public:
  void start(const Document& document, LinkResolver& links, base::Arena& arena, LinkBlocks link_blocks);

  [[nodiscard]] TextBuffer& text() { return text_; }
  [[nodiscard]] const TextBuffer& text() const { return text_; }
  [[nodiscard]] std::vector<model::Block>& blocks() { return blocks_; }

  /// Adds a block; a list being gathered comes before it.
  void emit(model::BlockKind kind);
  /// The same, but not before the text that is being read has become a block. Links wait too, and inside a
  /// list for the whole of it: they do not part its items.
  void emit_later(model::BlockKind kind) { waiting_.push_back(kind); }
  [[nodiscard]] bool has_waiting() const { return !waiting_.empty(); }
  void emit_waiting();
  /// No text, list or waiting block is under way.
  [[nodiscard]] bool is_idle() const {
    return text_.empty() && items_.empty() && waiting_.empty() && waiting_links_.empty();
  }

  /// nullopt if the page had the image before or its address is none.
  std::optional<model::BlockKind> make_image(std::string_view source, std::string_view alt);

  /// Links are blocks of their own beside the text they stand in.
  [[nodiscard]] bool wants_all_links() const { return link_blocks_ == LinkBlocks::all; }
  void open_link(NodeId link) { open_link_ = {link, text_.mark()}; }
  void close_link(NodeId link);
  void forget_link() { open_link_ = {}; }

  /// Makes the text a paragraph or, if it is all one link, a link; and begins a new text.
  void end_paragraph();
  /// The text, trimmed and in the arena, for a block of another kind; a new text begins.
  model::Text take_text(BreakStyle next);

  void add_item(model::Text item, bool ordered);
  void end_list();

 private:
  struct OpenLink {
    NodeId node = kNoNode;
    TextBuffer::Mark begin;
  };
  /// Where a link stood when it ended. What is raised, quoted or cut out after that moves the text, so a
  /// link's own text is kept apart, where it is asked for.
  struct LinkSpan {
    NodeId node = kNoNode;
    std::size_t begin = 0;
    std::size_t end = 0;
    model::Text text;
  };

  void emit_links();
  void split_open_link();
  void queue_links();
  bool emit_standalone_link(std::string_view trimmed);
  std::optional<model::LinkBlock> make_link(NodeId node, std::string_view text);

  const Document* document_ = nullptr;
  LinkResolver* resolver_ = nullptr;
  base::Arena* arena_ = nullptr;
  LinkBlocks link_blocks_ = LinkBlocks::standalone;
  TextBuffer text_;
  std::vector<model::Block> blocks_;
  std::vector<model::BlockKind> waiting_;
  std::vector<model::LinkBlock> waiting_links_;
  std::vector<model::Text> items_;
  bool ordered_ = false;
  OpenLink open_link_;
  std::vector<LinkSpan> links_;
  NodeId last_link_ = kNoNode;  // a link around several blocks is said once
  std::unordered_set<model::Text, AddressHash> images_;
  std::string scratch_;
};

}  // namespace sheaf::html
