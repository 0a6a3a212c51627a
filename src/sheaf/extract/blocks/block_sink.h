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

/// Hashes URLs with a secret key: they come from the page, which could otherwise prepare collisions.
struct AddressHash {
  base::HashKey key = base::HashKey::random();
  std::size_t operator()(Text text) const { return base::keyed_hash(key, text); }
};

/// Gathers the blocks of one page: the text of the current block, the links in it, the items of the current
/// list, and blocks that have to wait for the end of their paragraph. Reuses its memory from page to page.
class BlockSink {
 public:
  void start(const html::Document& document, LinkResolver& links, Arena& arena, const BlockOptions& options);

  [[nodiscard]] TextBuffer& text() { return text_; }
  [[nodiscard]] const TextBuffer& text() const { return text_; }
  [[nodiscard]] std::vector<Block>& blocks() { return blocks_; }

  /// Ends the current list and adds a block. `inlines` are the inline ranges of its text.
  void emit(BlockKind kind, List<Inline> inlines = {});
  /// The same for a table; `inlines` has the inline ranges of each cell.
  void emit_table(const TableBlock& table, List<List<Inline>> inlines);
  /// Adds a block after the current text has become a block. Links wait like this as well; inside a list they
  /// wait for its end, so that they do not split it.
  void emit_later(BlockKind kind) { waiting_.push_back(kind); }
  [[nodiscard]] bool has_waiting() const { return !waiting_.empty(); }
  void emit_waiting();
  /// Whether there is no unfinished text or list and no waiting block.
  [[nodiscard]] bool is_idle() const {
    return text_.empty() && items_.empty() && waiting_.empty() && waiting_links_.empty();
  }

  /// nullopt if the page has already had the image, or if its URL is invalid.
  std::optional<BlockKind> make_image(std::string_view source, std::string_view alt);

  [[nodiscard]] bool wants_inlines() const { return inline_structure_ == InlineStructure::keep; }
  void open_link(html::NodeId link) { open_link_ = {link, text_.mark()}; }
  void close_link(html::NodeId link);

  /// Adds the text as a paragraph, or as a link block if all of it is one link, and begins a new text.
  void end_paragraph();
  /// Returns the text, trimmed and in the arena, for a block of another kind. Begins a new text with the
  /// style `next`.
  Text take_text(BreakStyle next);
  /// The inline ranges of the last text that was taken, moved by `shift`. Call it once per text.
  List<Inline> taken_inlines(std::uint32_t shift = 0);

  /// `number` is the number of the item in an ordered list.
  void add_item(Text item, bool ordered, std::int64_t number, List<Inline> inlines);
  void end_list();

 private:
  struct OpenLink {
    html::NodeId node = html::kNoNode;
    TextBuffer::Mark begin;
  };
  /// The range of a link in the text when it ended. Later edits (superscripts, quotation marks, cuts) move
  /// the text, so a copy of the link's text is kept if it is needed.
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
  html::NodeId last_link_ = html::kNoNode;  // so that a link around several blocks is added once
  std::unordered_set<Text, AddressHash> images_;
  std::string scratch_;
};

}  // namespace sheaf::extract
