#pragma once

#include "sheaf/extract/blocks/block_links.h"
#include "sheaf/extract/blocks/block_media.h"
#include "sheaf/extract/blocks/block_sink.h"
#include "sheaf/extract/blocks/block_table.h"
#include "sheaf/extract/blocks/blocks.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::extract {

/// Walks over a page's tree once, tracks the structure around the current node, and passes the content to a
/// BlockSink. The elements around it that make blocks are on an explicit stack (`frames_`); nothing recurses.
class BlockWalker {
 public:
  BuiltBlocks run(const html::Document& document, const ContentMap& content, const Metadata& metadata,
                  const BlockOptions& options, Arena& arena);

 private:
  /// How text is gathered.
  enum class Mode : std::uint8_t {
    paragraph,  ///< into a paragraph, which every block element ends
    item,       ///< into a list item
    quote,      ///< into a quote
    flat,       ///< into one text, even if block elements are inside: a heading, a table cell, a caption
    code,       ///< unchanged
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
    flat_code,  ///< preformatted text inside a flat text, to which it is added
  };
  struct Frame {
    html::NodeId node = html::kNoNode;
    FrameKind kind = FrameKind::page;
    Mode mode = Mode::paragraph;
    bool ordered = false;         // list
    bool said = false;            // item: its first text has been added, with its marker
    std::uint32_t depth = 0;      // list, item: number of lists around it that become the same block
    std::int64_t number = 0;      // list: number of the last item; heading: level
    std::size_t first_block = 0;  // quote: index of its first block
  };
  enum class SpanKind : std::uint8_t {
    link,
    raised,
    lowered,
    reading,
    quotation,
    citation,
    styled,
    title,
    term
  };
  /// An inline element whose text is processed when it ends.
  struct Span {
    html::NodeId node = html::kNoNode;
    SpanKind kind = SpanKind::link;
    TextBuffer::Mark begin;
  };
  struct Figure {
    html::NodeId node = html::kNoNode;
    std::size_t first_block = 0;
    bool caption_read = false;     // the caption has been offered as the name of a video
    bool caption_used = false;     // the caption has become that name
    bool caption_reached = false;  // the walk has reached the caption
  };

  /// The labels of a set of tabs. Each is written before its panel.
  struct TabSet {
    std::vector<std::string> labels;
    std::size_t next = 0;
  };

  // block_walker.cpp: the walk and text
  void walk();
  html::NodeId go_out(html::NodeId node);
  [[nodiscard]] bool may_skip(html::NodeId node) const;
  bool enter(html::NodeId node);
  bool enter_element(html::NodeId node);
  bool enter_other(html::NodeId node, html::Name element);
  void leave(html::NodeId node);
  void add_text(html::NodeId node);
  void add_inline(std::string_view text);
  void boundary();
  void add_math(std::string_view text);
  bool add_text_with_math(std::string_view text);
  bool enter_script(html::NodeId node);
  /// The meaning that attributes give to an element whose name has none.
  enum class Meaning : std::uint8_t {
    plain,
    heading,
    formula,
    code,
    gutter,
    note,
    tab_list,
    tab_panel,
    box_title,
  };
  [[nodiscard]] Meaning meaning_of(html::NodeId node, html::Name element) const;
  [[nodiscard]] static Meaning meaning_of_role(std::string_view role);
  [[nodiscard]] Meaning meaning_of_classes(html::NodeId node, std::string_view classes) const;

  // block_spans.cpp: inline elements
  void open_span(html::NodeId node, SpanKind kind);
  void close_span();
  void close_link(const Span& span);
  void close_script(const Span& span, bool raised);
  void close_quotation(const Span& span);
  bool write_note_mark(std::size_t begin);
  bool begin_note(html::NodeId note);
  [[nodiscard]] bool is_in_script() const;
  [[nodiscard]] bool is_back_link(const Span& link) const;
  [[nodiscard]] bool is_reference(html::NodeId link) const;

  // block_tabs.cpp: tab panels
  bool read_tab_list(html::NodeId list);
  void begin_tab_panel(html::NodeId panel);

  // block_boxes.cpp: notes, tips, warnings
  void begin_box_title(html::NodeId title);
  void add_box_icon(html::NodeId cell);

  // block_structure.cpp: elements that make blocks
  [[nodiscard]] Mode mode() const { return frames_.back().mode; }
  void push(html::NodeId node, FrameKind kind, Mode mode, BreakStyle style);
  void pop();
  void end_frame();
  void before_block();
  void end_item_text();
  void spill_items();
  bool begin_heading(html::NodeId node, int level);
  bool begin_list(html::NodeId node, bool ordered);
  bool begin_item(html::NodeId node);
  void end_list();
  bool begin_quote(html::NodeId node);
  void end_quote_text(OptionalText citation = std::nullopt);
  void add_citation(std::size_t first_block);
  void end_quote();
  bool begin_footer(html::NodeId node);
  bool begin_table(html::NodeId node);
  bool enter_table_part(html::NodeId node, html::Name name);
  void end_cell();
  void end_table();
  bool begin_code(html::NodeId node);
  bool enter_in_code(html::NodeId node);
  void end_code();
  void drop_language_label(std::string_view language);
  void end_term();

  // block_embedded.cpp: images, media, figures
  bool enter_image(html::NodeId node);
  bool enter_media(html::NodeId node);
  bool enter_frame(html::NodeId node);
  bool enter_noscript(html::NodeId node);
  bool enter_caption(html::NodeId node);
  bool enter_input(html::NodeId node);
  void add_embedded(const std::optional<BlockKind>& block);
  void figure_caption(std::string& out);

  const html::Document* document_ = nullptr;
  const ContentMap* content_ = nullptr;
  Arena* arena_ = nullptr;
  std::optional<LinkResolver> links_;
  std::optional<MediaReader> media_;
  BlockSink sink_;
  TableGrid grid_;
  std::vector<Frame> frames_;
  std::vector<Span> spans_;
  std::vector<Figure> figures_;
  std::vector<TabSet> tab_sets_;    // sets with panels still to come
  TextBuffer::Mark term_;           // end of the last dt; its dd continues the same text
  TextBuffer::Mark fragment_link_;  // beginning of the last link to a place on the page itself
  TextBuffer::Mark cite_begin_;     // the last cite of a quote
  std::size_t cite_end_ = 0;
  std::string citation_;
  static constexpr std::size_t kNoCode = static_cast<std::size_t>(-1);
  std::size_t code_begin_ = kNoCode;   // of the first code element in a pre
  html::NodeId line_ = html::kNoNode;  // the last element of code that is a line, and where it began
  std::size_t line_begin_ = 0;
  bool after_number_ = false;    // of a line of code
  std::vector<Text> notes_;      // from inside the text
  TextBuffer::Mark after_mark_;  // end of the last reference to a note
  std::string last_math_;
  TextBuffer::Mark after_math_;
  bool has_formula_data_ = false;  // attributes with the TeX of formulas
  bool is_english_ = false;        // the page declares English, or no language
  std::size_t open_quotations_ = 0;
  html::NodeId last_image_ = html::kNoNode;
  std::string scratch_;
  std::uint64_t steps_ = 0;
};

}  // namespace sheaf::extract
