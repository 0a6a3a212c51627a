#pragma once

#include "sheaf/html/block_links.h"
#include "sheaf/html/block_media.h"
#include "sheaf/html/block_sink.h"
#include "sheaf/html/block_table.h"
#include "sheaf/html/blocks.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::html {

/// One walk over a page's tree: knows in which structure the walk is and hands what it meets to a BlockSink.
/// Depth is on a stack of its own, of the elements that make blocks; nothing recurses.
class BlockWalker {
 public:
  BuiltBlocks run(const Document& document, const ContentMap& content, const Metadata& metadata,
                  const BlockOptions& options, base::Arena& arena);

 private:
  /// What becomes of text.
  enum class Mode : std::uint8_t {
    paragraph,  ///< every block element ends it
    item,       ///< gathered into a list item
    quote,      ///< gathered into a quote
    flat,       ///< gathered into one text whatever is inside: a heading, a table cell, a caption
    code,       ///< kept character by character
  };
  enum class FrameKind : std::uint8_t {
    page,
    list,
    item,
    heading,
    quote,
    citation,
    table,
    cell,
    caption,
    code,
    flat_code,  ///< preformatted text inside a flat one, to which it is added
  };
  struct Frame {
    NodeId node = kNoNode;
    FrameKind kind = FrameKind::page;
    Mode mode = Mode::paragraph;
    bool ordered = false;         // list
    bool said = false;            // item: its marker is written
    std::uint32_t depth = 0;      // list, item: lists around it that belong together
    std::int64_t number = 0;      // list: of the last item; heading: the level
    std::size_t first_block = 0;  // quote
  };
  enum class SpanKind : std::uint8_t { link, raised, lowered, reading, quotation, citation };
  /// An element inside a line whose text is looked at when it ends.
  struct Span {
    NodeId node = kNoNode;
    SpanKind kind = SpanKind::link;
    TextBuffer::Mark begin;
  };
  struct Figure {
    NodeId node = kNoNode;
    std::size_t first_block = 0;
    bool caption_read = false;  // for the name of a video
    bool caption_used = false;  // as that name
    bool caption_met = false;   // on the walk
  };

  // block_walker.cpp: the walk, text and inline elements
  void walk();
  NodeId go_out(NodeId node);
  [[nodiscard]] bool may_skip(NodeId node) const;
  bool enter(NodeId node);
  bool enter_element(NodeId node);
  bool enter_other(NodeId node, Name element);
  void leave(NodeId node);
  void add_text(NodeId node);
  [[nodiscard]] bool may_take_line(NodeId text) const;
  NodeId take_line(NodeId first);
  void add_inline(std::string_view text);
  void boundary();
  void open_span(NodeId node, SpanKind kind);
  void close_span();
  void close_link(const Span& span);
  void close_script(const Span& span, bool raised);
  void close_quotation(const Span& span);
  void add_math(std::string_view text);
  bool enter_script(NodeId node);
  /// What attributes make of an element that means nothing by its name.
  enum class Meaning : std::uint8_t {
    plain,
    heading,
    drawn_formula,  ///< the twin of one whose source stands beside it
  };
  [[nodiscard]] Meaning meaning_of(NodeId node, Name element) const;

  // block_structure.cpp: elements that make blocks
  [[nodiscard]] Mode mode() const { return frames_.back().mode; }
  void push(NodeId node, FrameKind kind, Mode mode, BreakStyle style);
  void pop();
  void end_frame();
  void before_block();
  void end_item_text();
  void spill_items();
  bool begin_heading(NodeId node, int level);
  bool begin_list(NodeId node, bool ordered);
  bool begin_item(NodeId node);
  void end_list();
  bool begin_quote(NodeId node);
  void end_quote_text(model::OptionalText citation = std::nullopt);
  void add_citation(std::size_t first_block);
  void end_quote();
  bool begin_footer(NodeId node);
  bool begin_table(NodeId node);
  bool enter_table_part(NodeId node, Name name);
  void end_cell();
  void end_table();
  bool begin_code(NodeId node);
  bool enter_in_code(NodeId node);
  void end_code();
  void end_term();

  // block_embedded.cpp: images, media, figures
  bool enter_image(NodeId node);
  bool enter_media(NodeId node);
  bool enter_frame(NodeId node);
  bool enter_noscript(NodeId node);
  bool enter_caption(NodeId node);
  bool enter_input(NodeId node);
  void add_embedded(const std::optional<model::BlockKind>& block);
  void figure_caption(std::string& out);

  const Document* document_ = nullptr;
  const ContentMap* content_ = nullptr;
  base::Arena* arena_ = nullptr;
  std::optional<LinkResolver> links_;
  std::optional<MediaReader> media_;
  BlockSink sink_;
  TableGrid grid_;
  std::vector<Frame> frames_;
  std::vector<Span> spans_;
  std::vector<Figure> figures_;
  TextBuffer::Mark term_;           // where a dt ended, which its dd goes on after
  TextBuffer::Mark fragment_link_;  // where the last link into the page itself began
  TextBuffer::Mark cite_begin_;     // the last cite of a quote
  std::size_t cite_end_ = 0;
  std::string citation_;
  std::string last_math_;
  TextBuffer::Mark after_math_;
  std::size_t open_quotations_ = 0;
  NodeId last_image_ = kNoNode;
  std::string scratch_;
  std::uint64_t steps_ = 0;
};

}  // namespace sheaf::html
