// Boxes that pages mark by colour or icon: notes, tips, warnings. Writes their kind as text.
#include "sheaf/extract/blocks/block_boxes.h"

#include "sheaf/extract/blocks/block_text.h"
#include "sheaf/extract/blocks/block_walker.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/text_value.h"
#include "sheaf/text/box_kinds.h"
#include "sheaf/text/text_compare.h"

namespace sheaf::extract {
namespace {

constexpr std::size_t kMaxTitleLength = 512;  // bytes

/// The kind of box that one of the classes names: "warning", "alert-warning", "starlight-aside--caution".
std::string_view kind_in_classes(std::string_view classes) {
  for (std::string_view word = text::take_word(classes); !word.empty(); word = text::take_word(classes))
    if (const std::string_view kind = text::admonition_kind(word.substr(word.rfind('-') + 1)); !kind.empty())
      return kind;
  return {};
}

std::string_view box_classes(const html::Document& document, html::NodeId element) {
  return document.attribute(element, html::Name::class_).value_or("");
}

}  // namespace

bool is_box_title(std::string_view classes) {
  switch (classes.empty() ? '\0' : classes.front()) {
    case 'a':  // Sphinx and MkDocs; Docusaurus; Bootstrap, which Docsy uses
      return classes.starts_with("admonition-title") || classes.starts_with("admonitionHeading") ||
             classes.starts_with("alert-heading");
    case 'c':  // VitePress; VuePress; Quarto
      return classes.starts_with("custom-block-title") || classes.starts_with("custom-container-title") ||
             classes.starts_with("callout-title");
    case 'h': return classes.starts_with("hint-container-title");    // VuePress
    case 'm': return classes.starts_with("markdown-alert-title");    // GitHub
    case 's': return classes.starts_with("starlight-aside__title");  // Starlight
    default: return false;
  }
}

std::string_view kind_of_box(const html::Document& document, html::NodeId title) {
  const html::NodeId parent = document.parent(title);
  if (const std::string_view kind = kind_in_classes(box_classes(document, parent)); !kind.empty())
    return kind;
  return kind_in_classes(box_classes(document, document.parent(parent)));
}

std::string_view kind_of_icon(const html::Document& document, html::NodeId cell) {
  if (box_classes(document, cell) != "icon") return {};
  for (html::NodeId node = document.first_child(cell); node != html::kNoNode; node = document.next(node)) {
    if (!document.is_element(node) || document.first_child(node) != html::kNoNode) continue;
    const std::string_view title = document.attribute(node, html::Name::title).value_or("");
    if (const std::string_view kind = text::admonition_kind(title); !kind.empty()) return kind;
  }
  return {};
}

/// Puts the title of a box on its own line. If the title does not begin with the kind of the box, which pages
/// show by colour, writes the kind before it: only on English pages, because it is written in English.
void BlockWalker::begin_box_title(html::NodeId title) {
  boundary();
  const std::string_view kind = kind_of_box(*document_, title);
  if (kind.empty() && document_->name(title) == html::Name::summary) return;
  if (sink_.wants_inlines()) open_span(title, SpanKind::title);
  if (kind.empty() || !is_english_ || !content_->kept(title)) return;
  std::string text;
  html::append_text_content(*document_, title, text);
  if (text.size() > kMaxTitleLength || html::begins_with_words(text, kind)) return;
  add_inline(kind);
  if (trim_blank(text).empty()) return;
  sink_.text().append_verbatim(":");
  sink_.text().add_space();
}

/// Writes the kind of a box that has an icon instead of a title.
void BlockWalker::add_box_icon(html::NodeId cell) {
  const std::string_view kind = kind_of_icon(*document_, cell);
  if (kind.empty() || !content_->kept(cell)) return;
  boundary();
  const TextBuffer::Mark begin = sink_.text().mark();
  add_inline(kind);
  if (sink_.wants_inlines()) sink_.text().add_stretch(begin, InlineKind::strong);
  boundary();
}

}  // namespace sheaf::extract
