#pragma once

#include "sheaf/base/hash.h"
#include "sheaf/extract/blocks/block_links.h"
#include "sheaf/extract/blocks/block_text.h"
#include "sheaf/extract/blocks/blocks.h"
#include "sheaf/html/dom.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sheaf::extract {

/// URLs come from the page: with a secret key, collisions cannot be prepared.
struct AddressHash {
  base::HashKey key = base::HashKey::random();
  std::size_t operator()(Text text) const { return base::keyed_hash(key, text); }
};

/// Gathers the blocks of one page: the text of the block being read, the links in it, the items of the list
/// being read, and what has to wait for the end of its paragraph. Keeps its memory between pages.
class BlockSink {
 public:
  void start(const html::Document& document, LinkResolver& links, Arena& arena, const BlockOptions& options);

  [[nodiscard]] TextBuffer& text() { return text_; }
  [[nodiscard]] const TextBuffer& text() const { return text_; }
  [[nodiscard]] std::vector<Block>& blocks() { return blocks_; }

  /// Adds a block; a list being gathered comes before it. `inlines` are those of its text.
  void emit(BlockKind kind, List<Inline> inlines = {});
  /// The same for a table, with those of its cells.
  void emit_table(const TableBlock& table, List<List<Inline>> inlines);
  /// The same, but not before the text that is being read has become a block. Links wait too, and inside a
  /// list for the whole of it: they do not part its items.
  void emit_later(BlockKind kind) { waiting_.push_back(kind); }
  [[nodiscard]] bool has_waiting() const { return !waiting_.empty(); }
  void emit_waiting();
  /// No text, list or waiting block is under way.
  [[nodiscard]] bool is_idle() const {
    return text_.empty() && items_.empty() && waiting_.empty() && waiting_links_.empty();
  }

  /// nullopt if the page had the image before or its address is none.
  std::optional<BlockKind> make_image(std::string_view source, std::string_view alt);

  [[nodiscard]] bool wants_inlines() const { return inline_structure_ == InlineStructure::keep; }
  void open_link(html::NodeId link) { open_link_ = {link, text_.mark()}; }
  void close_link(html::NodeId link);

  /// Makes the text a paragraph or, if it is all one link, a link; and begins a new text.
  void end_paragraph();
  /// The text, trimmed and in the arena, for a block of another kind; a new text begins.
  Text take_text(BreakStyle next);
  /// What ranges the text had that take_text gave last, each so many places further on.
  List<Inline> taken_inlines(std::uint32_t shift = 0);

  /// `number` is the item's, of an ordered list.
  void add_item(Text item, bool ordered, std::int64_t number, List<Inline> inlines);
  void end_list();

 private:
  struct OpenLink {
    html::NodeId node = html::kNoNode;
    TextBuffer::Mark begin;
  };
  /// Where a link stood when it ended. What is raised, quoted or cut out after that moves the text, so a
  /// link's own text is kept apart, where it is asked for.
  struct LinkSpan {
    html::NodeId node = html::kNoNode;
    std::size_t begin = 0;
    std::size_t end = 0;
    Text text;
  };

  void emit_links();
  void note_inlines(std::string_view trimmed);
  void mark_link(html::NodeId link, TextBuffer::Mark begin);
  void split_open_link();
  void queue_links();
  bool emit_standalone_link(std::string_view trimmed);
  std::optional<LinkBlock> make_link(html::NodeId node, std::string_view text);

  const html::Document* document_ = nullptr;
  LinkResolver* resolver_ = nullptr;
  Arena* arena_ = nullptr;
  LinkBlocks link_blocks_ = LinkBlocks::content;
  InlineStructure inline_structure_ = InlineStructure::leave_out;
  TextBuffer text_;
  std::vector<Block> blocks_;
  std::vector<BlockKind> waiting_;
  std::vector<LinkBlock> waiting_links_;
  std::vector<Text> items_;
  std::vector<List<Inline>> item_inlines_;
  std::vector<Inline> taken_inlines_;
  bool ordered_ = false;
  std::int64_t list_start_ = 1;
  OpenLink open_link_;
  std::vector<LinkSpan> links_;
  html::NodeId last_link_ = html::kNoNode;  // a link around several blocks is written once
  std::unordered_set<Text, AddressHash> images_;
  std::string scratch_;
};

}  // namespace sheaf::extract
