#include "sheaf/extract/blocks/block_walker.h"

#include "sheaf/extract/blocks/block_boxes.h"
#include "sheaf/extract/blocks/block_code.h"
#include "sheaf/extract/blocks/block_inline.h"
#include "sheaf/extract/blocks/block_merge.h"
#include "sheaf/extract/blocks/block_tabs.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/element_table.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <span>

namespace sheaf::extract {
namespace {

/// Whether an attribute may give its element a meaning. Evaluated without branches, because the order of
/// attributes is unpredictable.
bool may_mean_more(const html::Attribute& attribute) {
  return (attribute.name == html::Name::role) | (attribute.name == html::Name::class_);
}

}  // namespace

BuiltBlocks BlockWalker::run(const html::Document& document, const ContentMap& content,
                             const Metadata& metadata, const BlockOptions& options, Arena& arena) {
  document_ = &document;
  content_ = &content;
  arena_ = &arena;
  links_.emplace(document, options.base, arena);
  media_.emplace(document, metadata, *links_, arena);
  sink_.start(document, *links_, arena, options);
  frames_.assign(1, {});
  spans_.clear();
  figures_.clear();
  tab_sets_.clear();
  term_ = fragment_link_ = cite_begin_ = after_math_ = {};
  last_math_.clear();
  notes_.clear();
  after_mark_ = {};
  has_formula_data_ = has_formula_data(document);
  is_english_ = metadata.language.value_or("en").starts_with("en");
  open_quotations_ = 0;
  last_image_ = html::kNoNode;
  steps_ = 0;
  walk();
  sink_.end_paragraph();
  sink_.end_list();
  for (const Text note : notes_) sink_.add_item(note, true, 1, {});
  sink_.end_list();
  BuiltBlocks result;
  result.merged = merge_blocks(sink_.blocks(), options.max_blocks, arena);
  result.blocks = arena.copy(std::span<const Block>(sink_.blocks()));
  result.steps = steps_;
  return result;
}

/// Visits the nodes in document order. Every element that was entered is left after its children.
void BlockWalker::walk() {
  const html::NodeId root = document_->root();
  html::NodeId node = document_->first_child(root);
  while (node != html::kNoNode) {
    ++steps_;
    const html::NodeKind kind = document_->kind(node);
    if (kind == html::NodeKind::text) {
      add_text(node);
    } else if (kind == html::NodeKind::element && !may_skip(node) && enter(node)) {
      if (const html::NodeId child = document_->first_child(node); child != html::kNoNode) {
        node = child;
        continue;
      }
      leave(node);
    }
    const html::NodeId next = document_->next(node);
    node = next != html::kNoNode ? next : go_out(document_->parent(node));
  }
}

/// Leaves a finished element and the ones that end with it. Returns the next node.
html::NodeId BlockWalker::go_out(html::NodeId node) {
  html::NodeId next = html::kNoNode;
  for (; node != document_->root() && node != html::kNoNode && next == html::kNoNode;
       node = document_->parent(node)) {
    leave(node);
    next = document_->next(node);
  }
  return next;
}

/// Whether an element can be skipped: nothing inside is content, and there is no unfinished text, list or
/// structure that the element would interrupt. Whole menus, sidebars and footers are skipped like this; they
/// are most of many pages.
bool BlockWalker::may_skip(html::NodeId node) const {
  return content_->is_dropped_whole(node) && frames_.size() == 1 && spans_.empty() && sink_.is_idle();
}

/// Returns whether the children of the element are to be visited and leave() is to be called. Never true for
/// a template, whose content is not part of the page.
bool BlockWalker::enter(html::NodeId node) {
  return mode() == Mode::code ? enter_in_code(node) : enter_element(node);
}

void BlockWalker::add_text(html::NodeId node) {
  const std::string_view text = document_->text(node);
  const bool kept = content_->kept(node);
  if (kept && mode() != Mode::code && read_formula(*document_, node, scratch_)) return add_math(scratch_);
  if (mode() == Mode::code) {
    const bool is_space = std::ranges::all_of(text, text::is_space);
    const bool is_parted = after_number_ && text.starts_with("\u00A0");  // by Doxygen, from the number
    const html::NodeId code = frames_.back().node;
    const bool between_lines = is_space && document_->parent(node) == code &&
                               !document_->is_html(code, html::Name::pre) &&
                               document_->is_html(code, html::Name::div);
    if (between_lines) return;
    if (kept || is_space) sink_.text().append_verbatim(is_parted ? text.substr(2) : text);
    after_number_ = false;
    return;
  }
  if (!kept) {
    // White space between two kept words separates them, whichever element it belongs to.
    if (text::is_space(text.front())) sink_.text().add_space();
    return;
  }
  if (sink_.text().breaks() > 1 && mode() == Mode::paragraph && !std::ranges::all_of(text, text::is_space))
    sink_.end_paragraph();
  if (text.find('\\') != std::string_view::npos && add_text_with_math(text)) return;
  sink_.text().append(document_->padded(text));
}

/// Adds a text in which formulas are between "\(" and "\)". Returns false if there is none.
bool BlockWalker::add_text_with_math(std::string_view text) {
  bool found = false;
  for (std::size_t at = text.find("\\("); at != std::string_view::npos; at = text.find("\\(")) {
    const std::size_t end = text.find("\\)", at + 2);
    if (end == std::string_view::npos) break;
    if (at > 0) sink_.text().append(document_->padded(text.substr(0, at)));
    write_tex(text.substr(at + 2, end - at - 2), false, scratch_);
    add_math(scratch_);
    text.remove_prefix(end + 2);
    found = true;
  }
  if (found && !text.empty()) sink_.text().append(document_->padded(text));
  return found;
}

void BlockWalker::add_inline(std::string_view text) {
  if (text.empty()) return;
  if (sink_.text().breaks() > 1 && mode() == Mode::paragraph) sink_.end_paragraph();
  sink_.text().append_exact(text);
}

/// Called where a block element begins or ends.
void BlockWalker::boundary() {
  TextBuffer& text = sink_.text();
  switch (mode()) {
    case Mode::paragraph:
      // Right after a term, the definition continues the same text on a new line.
      if (!text.empty() && term_.at == text.text().size() && term_.generation == text.mark().generation) {
        text.need_breaks(1);
      } else if (!text.empty() || sink_.has_waiting()) {
        sink_.end_paragraph();
      }
      break;
    case Mode::item:
    case Mode::flat: text.need_breaks(1); break;
    case Mode::quote: text.need_breaks(2); break;
    case Mode::code: text.verbatim_line(); break;
  }
}

bool BlockWalker::enter_element(html::NodeId node) {
  using enum html::Name;
  const html::Name element = document_->name(node);
  if (document_->ns(node) != html::Namespace::html) {
    if (element != math || !content_->kept(node)) return false;
    write_math(*document_, node, scratch_);
    add_math(scratch_);
    return false;
  }
  switch (element) {
    case br: sink_.text().add_break(); return false;
    case h1:
    case h2:
    case h3:
    case h4:
    case h5:
    case h6: return begin_heading(node, html::heading_level(element));
    case ul:
    case menu:
    case dir:
      if (is_tab_list(*document_, node) && read_tab_list(node)) return false;
      return begin_list(node, false);
    case ol: return begin_list(node, true);
    case li: return begin_item(node);
    case blockquote: return begin_quote(node);
    case footer: return begin_footer(node);
    case table: return begin_table(node);
    case caption:
    case tr:
    case td:
    case th: return enter_table_part(node, element);
    case pre:
    case listing:
    case xmp:
    case plaintext: return begin_code(node);
    case textarea: return document_->attribute(node, "readonly") && begin_code(node);
    case img: return enter_image(node);
    case video:
    case audio: return enter_media(node);
    case iframe:
    case embed:
    case object: return enter_frame(node);
    default: return enter_other(node, element);
  }
}

bool BlockWalker::enter_other(html::NodeId node, html::Name element) {
  using enum html::Name;
  if (has_formula_data_ && is_formula_data(*document_, node) && content_->kept(node) &&
      write_rendered(*document_, node, scratch_)) {
    add_math(scratch_);
    return false;
  }
  switch (element) {
    case a:
      open_span(node, SpanKind::link);
      sink_.open_link(node);
      return true;
    case sup: open_span(node, SpanKind::raised); return true;
    case sub: open_span(node, SpanKind::lowered); return true;
    case rt: open_span(node, SpanKind::reading); return true;
    case q: open_span(node, SpanKind::quotation); return true;
    case cite:
      if (mode() == Mode::quote) open_span(node, SpanKind::citation);
      return true;
    case code:
    case kbd:
    case samp:
    case tt:
    case strong:
    case b:
    case em:
    case i:
      if (!sink_.wants_inlines()) break;
      open_span(node, SpanKind::styled);
      return true;
    case script: return enter_script(node);
    case noscript: return enter_noscript(node);
    case figure:
      boundary();
      figures_.push_back({.node = node, .first_block = sink_.blocks().size()});
      return true;
    case figcaption: return enter_caption(node);
    case dt:
      boundary();
      if (sink_.wants_inlines()) open_span(node, SpanKind::term);
      return true;
    case input: return enter_input(node);
    case canvas:
    case select:
    case datalist: return false;
    default: break;
  }
  const html::ElementKind kind = html::element_kind(element);
  if (kind == html::ElementKind::unseen) return false;
  const Meaning meaning = meaning_of(node, element);
  if (meaning == Meaning::heading) {
    const std::string_view level = document_->attribute(node, "aria-level").value_or("2");
    return begin_heading(node, level.size() == 1 && level[0] >= '1' && level[0] <= '6' ? level[0] - '0' : 2);
  }
  if (meaning == Meaning::formula && content_->kept(node) && write_rendered(*document_, node, scratch_)) {
    add_math(scratch_);
    return false;
  }
  if (meaning == Meaning::gutter) return false;
  if (meaning == Meaning::note) return !begin_note(node);
  if (meaning == Meaning::code) return begin_code(node);
  if (meaning == Meaning::tab_list && read_tab_list(node)) return false;
  if (meaning == Meaning::tab_panel) begin_tab_panel(node);
  if (meaning == Meaning::box_title) {
    begin_box_title(node);
    return true;
  }
  if (kind == html::ElementKind::block) boundary();
  if (element == button) sink_.text().add_space();  // its frame separates it from the text around it
  if (element > html::kLastKnownElement) {
    const std::string_view name = document_->name_text(node);
    if (name == "amp-img") return enter_image(node);
    if (name == "d-footnote") return !begin_note(node);
    if (name == "mjx-container" && content_->kept(node) && write_rendered(*document_, node, scratch_)) {
      add_math(scratch_);
      return false;
    }
  }
  return true;
}

BlockWalker::Meaning BlockWalker::meaning_of(html::NodeId node, html::Name element) const {
  for (const html::Attribute& attribute : document_->attributes(node)) {
    if (!may_mean_more(attribute)) continue;
    const std::string_view value = document_->value(attribute);
    const Meaning meaning =
        attribute.name == html::Name::role ? meaning_of_role(value) : meaning_of_classes(node, value);
    if (meaning != Meaning::plain) return meaning;
  }
  return element == html::Name::summary ? Meaning::box_title : Meaning::plain;
}

BlockWalker::Meaning BlockWalker::meaning_of_role(std::string_view role) {
  if (role == "heading") return Meaning::heading;
  if (role == "tablist") return Meaning::tab_list;
  return role == "tabpanel" ? Meaning::tab_panel : Meaning::plain;
}

/// Switches on the first character, because few classes with a meaning begin with the same one.
BlockWalker::Meaning BlockWalker::meaning_of_classes(html::NodeId node, std::string_view classes) const {
  switch (classes.empty() ? '\0' : classes.front()) {
    case 'C':
    case 'a':
    case 'c':
    case 'f':
    case 'g':
    case 'v':
      if (is_code_element(*document_, node, classes)) return Meaning::code;
      if (is_gutter(*document_, node, classes)) return Meaning::gutter;
      return is_box_title(classes) ? Meaning::box_title : Meaning::plain;
    case 'm':
      if (classes.starts_with("marginnote") || classes.starts_with("modern-footnotes-footnote__note"))
        return Meaning::note;
      if (is_gutter(*document_, node, classes)) return Meaning::gutter;
      [[fallthrough]];
    case 'M':
    case 'k':
      if (formula_form(*document_, node, classes) != FormulaForm::none) return Meaning::formula;
      return is_box_title(classes) ? Meaning::box_title : Meaning::plain;
    case 'q': return classes == "ql-formula" ? Meaning::formula : Meaning::plain;
    case 's':
      return classes.starts_with("sidenote") ? Meaning::note
             : is_box_title(classes)         ? Meaning::box_title
                                             : Meaning::plain;
    case 'l':
      if (classes.starts_with("ltx_note ")) return Meaning::note;
      [[fallthrough]];
    case 't':
      if (has_tab_list_class(*document_, node, classes)) return Meaning::tab_list;
      return has_tab_panel_class(*document_, node, classes) ? Meaning::tab_panel : Meaning::plain;
    default: return is_box_title(classes) ? Meaning::box_title : Meaning::plain;
  }
}

void BlockWalker::leave(html::NodeId node) {
  if (frames_.back().node == node) {
    end_frame();
    return;
  }
  if (!spans_.empty() && spans_.back().node == node) {
    close_span();
    return;
  }
  const html::Name name = document_->name(node);
  if (mode() == Mode::code && node == line_ && sink_.text().text().size() == line_begin_)
    sink_.text().append_verbatim("\n");  // an empty line
  if (!figures_.empty() && figures_.back().node == node) figures_.pop_back();
  if (name == html::Name::dt) return end_term();
  if (name == html::Name::dl) term_ = {};
  if (name == html::Name::button) sink_.text().add_space();
  if (html::element_kind(name) == html::ElementKind::block) boundary();
}

/// Does not end the paragraph after a term: its definition follows in the same block, on a new line.
void BlockWalker::end_term() {
  if (mode() == Mode::paragraph) {
    term_ = sink_.text().mark();
  }
  sink_.text().need_breaks(1);
}

/// Adds a formula, unless it repeats the one right before it: many pages also have its image or its rendered
/// form.
void BlockWalker::add_math(std::string_view text) {
  const TextBuffer::Mark here = sink_.text().mark();
  const bool twin =
      text == last_math_ && here.generation == after_math_.generation && here.at == after_math_.at;
  if (text.empty() || twin) return;
  const TextBuffer::Mark begin = sink_.text().mark();
  add_inline(text);
  if (sink_.wants_inlines() && text.front() == '$') sink_.text().add_stretch(begin, InlineKind::math);
  last_math_ = text;
  after_math_ = sink_.text().mark();
}

bool BlockWalker::enter_script(html::NodeId node) {
  const std::string_view type = document_->attribute(node, html::Name::type).value_or("");
  if (!type.starts_with("math/tex") || !content_->kept(document_->parent(node))) return false;
  std::string tex;
  html::append_text_content(*document_, node, tex);
  write_tex(tex, type.find("display") != std::string_view::npos, scratch_);
  add_math(scratch_);
  return false;
}

}  // namespace sheaf::extract
