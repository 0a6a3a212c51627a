// Lists, headings, quotes, tables and code: the elements that BlockWalker turns into blocks.
#include "sheaf/extract/blocks/block_code.h"
#include "sheaf/extract/blocks/block_walker.h"
#include "sheaf/html/element_table.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <charconv>

namespace sheaf::extract {
namespace {

constexpr std::size_t kMaxIndent = 8;  // levels; lists nested more deeply are not indented further

std::int64_t whole_number(std::optional<std::string_view> value, std::int64_t otherwise) {
  if (!value) return otherwise;
  const std::string_view text = text::trim_space(*value);
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : otherwise;
}

std::size_t cell_span(const html::Document& document, html::NodeId cell, html::Name attribute) {
  constexpr std::int64_t kMax = 1 << 20;
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(whole_number(document.attribute(cell, attribute), 1), 0, kMax));
}

/// Whether preformatted text begins with an element of its own, for the language or buttons.
bool begins_with_bar(const html::Document& document, html::NodeId pre) {
  html::NodeId child = document.first_child(pre);
  while (child != html::kNoNode && !document.is_element(child) && trim_blank(document.text(child)).empty())
    child = document.next(child);
  return document.is_html(child, html::Name::div) || document.is_html(child, html::Name::header);
}

/// Removes dashes from one end of a text: they separate a quote from its source.
std::string_view trim_dash(std::string_view text, bool at_front) {
  constexpr std::string_view kDashes[] = {"-", "~", "\u2013", "\u2014", "\u2015"};
  text = trim_blank(text);
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view dash : kDashes) {
      if (at_front ? !text.starts_with(dash) : !text.ends_with(dash)) continue;
      if (at_front) {
        text.remove_prefix(dash.size());
      } else {
        text.remove_suffix(dash.size());
      }
      text = trim_blank(text);
      found = true;
    }
  }
  return text;
}

}  // namespace

void BlockWalker::push(html::NodeId node, FrameKind kind, Mode mode, BreakStyle style) {
  // Built in place: copying a struct that was just written field by field stalls.
  Frame& frame = frames_.emplace_back();
  frame.node = node;
  frame.kind = kind;
  frame.mode = mode;
  frame.first_block = sink_.blocks().size();
  sink_.text().start(style);
}

void BlockWalker::pop() {
  frames_.pop_back();
  sink_.text().start(mode() == Mode::quote ? BreakStyle::paragraph : BreakStyle::line);
}

void BlockWalker::end_frame() {
  switch (frames_.back().kind) {
    case FrameKind::page: return;
    case FrameKind::list: return end_list();
    case FrameKind::item:
      if (mode() == Mode::item) {
        end_item_text();
      } else {
        sink_.end_paragraph();
      }
      return pop();
    case FrameKind::heading: {
      const int level = static_cast<int>(frames_.back().number);
      const Text text = sink_.take_text(BreakStyle::line);
      if (!text.empty()) sink_.emit(HeadingBlock{level, text}, sink_.taken_inlines());
      pop();
      return sink_.emit_waiting();
    }
    case FrameKind::quote: return end_quote();
    case FrameKind::citation: citation_ = trim_dash(sink_.take_text(BreakStyle::line), true); return pop();
    case FrameKind::table: return end_table();
    case FrameKind::cell: return end_cell();
    case FrameKind::caption: {
      const Text text = sink_.take_text(BreakStyle::line);
      if (!text.empty()) sink_.emit(TextBlock{text}, sink_.taken_inlines());
      return pop();
    }
    case FrameKind::code: return end_code();
    case FrameKind::flat_code: frames_.pop_back(); return sink_.text().need_breaks(1);
  }
}

/// Ends the text and the list being gathered, because a block of another kind begins.
void BlockWalker::before_block() {
  switch (mode()) {
    case Mode::paragraph: sink_.end_paragraph(); break;
    case Mode::item: end_item_text(); break;
    case Mode::quote: end_quote_text(); break;
    case Mode::flat:
    case Mode::code: return;
  }
  sink_.end_list();
  spill_items();
}

/// Called after a block inside a list item: the rest of the item becomes paragraphs, and the lists around it
/// continue as new lists.
void BlockWalker::spill_items() {
  for (std::size_t i = frames_.size(); i-- > 1;) {
    Frame& frame = frames_[i];
    if (frame.kind == FrameKind::list) {
      frame.depth = 0;
    } else if (frame.kind == FrameKind::item && frame.mode == Mode::item) {
      frame.mode = Mode::paragraph;
    } else {
      return;
    }
  }
}

void BlockWalker::end_item_text() {
  Frame& item = frames_.back();
  const Text text = sink_.take_text(BreakStyle::line);
  if (!text.empty()) {
    const Frame& list = frames_[frames_.size() - 2];
    const bool ordered = list.kind == FrameKind::list && list.ordered;
    if (item.depth == 0 && !item.said) {
      sink_.add_item(text, ordered, list.number, sink_.taken_inlines());
    } else {
      const std::size_t levels = std::min<std::size_t>(item.depth, kMaxIndent) + (item.said ? 1 : 0);
      scratch_.assign(2 * levels, ' ');
      if (!item.said) scratch_ += ordered ? std::to_string(list.number) + ". " : "- ";
      const auto before = static_cast<std::uint32_t>(scratch_.size());  // ASCII
      scratch_ += text;
      sink_.add_item(arena_->copy(scratch_), ordered, list.number, sink_.taken_inlines(before));
    }
    item.said = true;
  }
  if (!sink_.has_waiting()) return;
  sink_.emit_waiting();
  spill_items();
}

bool BlockWalker::begin_heading(html::NodeId node, int level) {
  if (mode() == Mode::flat) {
    boundary();
    return true;
  }
  before_block();
  push(node, FrameKind::heading, Mode::flat, BreakStyle::space);
  frames_.back().number = level;
  return true;
}

bool BlockWalker::begin_list(html::NodeId node, bool ordered) {
  if (mode() == Mode::flat) {
    boundary();
    return true;
  }
  const bool nested = mode() == Mode::item || frames_.back().kind == FrameKind::list;
  if (mode() == Mode::item) end_item_text();
  // Ending the item's text may have ended the list around it.
  const bool joined = nested && (mode() == Mode::item || frames_.back().kind == FrameKind::list);
  const std::uint32_t depth = joined ? frames_.back().depth + 1 : 0;
  if (mode() == Mode::quote) end_quote_text();
  if (mode() == Mode::paragraph && !sink_.text().empty()) sink_.end_paragraph();
  if (!joined) sink_.end_list();
  push(node, FrameKind::list, Mode::paragraph, BreakStyle::line);
  frames_.back().ordered = ordered;
  frames_.back().depth = depth;
  frames_.back().number = whole_number(document_->attribute(node, html::Name::start), 1) - 1;
  return true;
}

void BlockWalker::end_list() {
  sink_.end_paragraph();
  if (frames_.back().depth == 0) sink_.end_list();
  pop();
}

bool BlockWalker::begin_item(html::NodeId node) {
  if (mode() == Mode::flat) {
    boundary();
    return true;
  }
  if (mode() == Mode::item) end_item_text();
  if (mode() == Mode::quote) end_quote_text();
  if (mode() == Mode::paragraph) sink_.end_paragraph();
  std::uint32_t depth = 0;
  if (Frame& list = frames_.back(); list.kind == FrameKind::list) {
    depth = list.depth;
    list.number = whole_number(document_->attribute(node, html::Name::value), list.number + 1);
  }
  push(node, FrameKind::item, Mode::item, BreakStyle::line);
  frames_.back().depth = depth;
  return true;
}

bool BlockWalker::begin_quote(html::NodeId node) {
  if (mode() == Mode::flat || mode() == Mode::quote) {
    boundary();
    return true;
  }
  before_block();
  push(node, FrameKind::quote, Mode::quote, BreakStyle::paragraph);
  citation_.clear();
  cite_begin_ = {};
  return true;
}

/// Adds the quote gathered so far: at its end, or because another block interrupts it.
void BlockWalker::end_quote_text(OptionalText citation) {
  const Text text = sink_.take_text(BreakStyle::paragraph);
  if (!text.empty()) sink_.emit(QuoteBlock{text, citation}, sink_.taken_inlines());
  sink_.emit_waiting();
}

/// Adds a citation for which there is no quoted text left: to the last quote block from `first_block` on,
/// else as a text block.
void BlockWalker::add_citation(std::size_t first_block) {
  std::vector<Block>& blocks = sink_.blocks();
  for (std::size_t i = blocks.size(); i-- > first_block;)
    if (auto* quote = std::get_if<QuoteBlock>(&blocks[i].kind)) {
      quote->citation = arena_->copy(citation_);
      return;
    }
  sink_.emit(TextBlock{arena_->copy(citation_)});
}

void BlockWalker::end_quote() {
  TextBuffer& text = sink_.text();
  // A `cite` at the end of the quote names its source; elsewhere it is part of the text.
  const std::size_t cite = text.begin_of(cite_begin_);
  if (citation_.empty() && cite_begin_.generation == text.mark().generation && cite > 0 &&
      cite_end_ == text.text().size() && cite < cite_end_) {
    citation_ = trim_dash(text.text().substr(cite), true);
    const std::string_view quoted = trim_dash(text.text().substr(0, cite), false);
    text.cut(static_cast<std::size_t>(quoted.data() + quoted.size() - text.text().data()));
  }
  const std::size_t first_block = frames_.back().first_block;
  const bool more = !trim_blank(text.text()).empty();
  end_quote_text(citation_.empty() || !more ? std::nullopt : OptionalText(arena_->copy(citation_)));
  if (!citation_.empty() && !more) add_citation(first_block);
  citation_.clear();
  pop();
}

bool BlockWalker::begin_footer(html::NodeId node) {
  if (mode() != Mode::quote) {
    boundary();
    return true;
  }
  end_quote_text();
  push(node, FrameKind::citation, Mode::flat, BreakStyle::space);
  return true;
}

bool BlockWalker::begin_table(html::NodeId node) {
  if (mode() != Mode::flat && is_code_table(*document_, node)) return begin_code(node);
  if (mode() == Mode::flat || !is_data_table(*document_, node, steps_)) {
    boundary();
    return true;
  }
  before_block();
  push(node, FrameKind::table, Mode::flat, BreakStyle::line);
  grid_.start();
  return true;
}

bool BlockWalker::enter_table_part(html::NodeId node, html::Name name) {
  if (frames_.back().kind != FrameKind::table) {
    if (name == html::Name::td &&
        is_gutter(*document_, node, document_->attribute(node, html::Name::class_).value_or("")))
      return false;
    boundary();
    if (name == html::Name::td) add_box_icon(node);
    return true;
  }
  switch (name) {
    case html::Name::caption: push(node, FrameKind::caption, Mode::flat, BreakStyle::line); break;
    case html::Name::tr: {
      const html::NodeId group = document_->parent(node);
      const html::Name part = document_->name(group);
      grid_.begin_row(group, part == html::Name::thead   ? TableGrid::Section::head
                             : part == html::Name::tfoot ? TableGrid::Section::foot
                                                         : TableGrid::Section::body);
      break;
    }
    default: push(node, FrameKind::cell, Mode::flat, BreakStyle::line); break;
  }
  return true;
}

void BlockWalker::end_cell() {
  const html::NodeId cell = frames_.back().node;
  if (sink_.wants_inlines() && document_->name(cell) == html::Name::th) {
    // Browsers show header cells in bold, and only this distinguishes them from other cells.
    TextBuffer::Mark begin = sink_.text().mark();
    begin.at = 0;
    sink_.text().add_stretch(begin, InlineKind::strong);
  }
  const Text text = sink_.take_text(BreakStyle::line);
  grid_.add_cell({text, sink_.taken_inlines()}, cell_span(*document_, cell, html::Name::colspan),
                 cell_span(*document_, cell, html::Name::rowspan));
  pop();
}

void BlockWalker::end_table() {
  const List<List<Text>> rows = grid_.finish(*arena_);
  if (!rows.empty()) sink_.emit_table(TableBlock{rows}, grid_.inlines(*arena_));
  sink_.emit_waiting();
  pop();
}

bool BlockWalker::begin_code(html::NodeId node) {
  if (mode() == Mode::flat) {
    sink_.text().need_breaks(1);
    if (sink_.text().style() == BreakStyle::space) return true;  // a heading stays one line
    sink_.text().append_exact("");
    Frame& frame = frames_.emplace_back();
    frame.node = node;
    frame.kind = FrameKind::flat_code;
    frame.mode = Mode::code;
    return true;
  }
  before_block();
  push(node, FrameKind::code, Mode::code, BreakStyle::line);
  code_begin_ = kNoCode;
  after_number_ = false;
  return true;
}

bool BlockWalker::enter_in_code(html::NodeId node) {
  const html::Name name = document_->name(node);
  if (name == html::Name::br) {
    sink_.text().append_verbatim("\n");
    return false;
  }
  if (html::element_kind(name) == html::ElementKind::unseen) return false;
  if (is_code_decoration(*document_, node)) {
    after_number_ = true;
    return false;
  }
  if (html::element_kind(name) == html::ElementKind::block) {
    sink_.text().verbatim_line();
    const bool is_line =
        name == html::Name::li || name == html::Name::td ||
        document_->attribute(node, html::Name::class_).value_or("").find("line") != std::string_view::npos;
    if (is_line) {
      line_ = node;
      line_begin_ = sink_.text().text().size();
    }
  }
  if (name == html::Name::code && code_begin_ == kNoCode && begins_with_bar(*document_, frames_.back().node))
    code_begin_ = sink_.text().text().size();
  return true;
}

/// Removes the text before a code block if it only says the block's language.
void BlockWalker::drop_language_label(std::string_view language) {
  if (language.empty() || sink_.blocks().empty()) return;
  const auto* text = std::get_if<TextBlock>(&sink_.blocks().back().kind);
  if (text != nullptr && text::equal_text(text->text, language, text::TextCase::ignore))
    sink_.blocks().pop_back();
}

void BlockWalker::end_code() {
  constexpr std::size_t kLabel = 64;  // bytes: the language and a button above the code, in the same pre
  constexpr std::string_view kZeroWidth = "\u200B";
  const html::NodeId pre = frames_.back().node;
  std::string_view code = sink_.text().text();
  if (code_begin_ != kNoCode && code_begin_ > 0 && code_begin_ < std::min(kLabel, code.size()) &&
      code[code_begin_ - 1] == '\n')
    code.remove_prefix(code_begin_);
  while (code.ends_with('\n')) code.remove_suffix(1);
  // Editors give empty lines a height by a space without width.
  std::string without;
  if (code.find(kZeroWidth) != std::string_view::npos) {
    for (std::string_view rest = code; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = end == std::string_view::npos ? rest : rest.substr(0, end + 1);
      const bool is_empty =
          line == kZeroWidth ||
          (line.starts_with(kZeroWidth) && line.size() == kZeroWidth.size() + 1 && line.ends_with('\n'));
      without += is_empty ? line.substr(kZeroWidth.size()) : line;
      rest.remove_prefix(line.size());
    }
    code = without;
  }
  if (!trim_blank(code).empty() && !is_number_column(*document_, pre, code)) {
    CodeBlock block;
    block.code = arena_->copy(code);
    const std::string_view language = code_language(*document_, pre, scratch_);
    if (!language.empty()) block.language = arena_->copy(language);
    drop_language_label(language);
    sink_.emit(block);
  }
  pop();
}

}  // namespace sheaf::extract
