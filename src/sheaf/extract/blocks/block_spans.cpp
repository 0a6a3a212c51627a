// Inline elements: links, emphasis, code, raised and lowered text, quotations.
#include "sheaf/extract/blocks/block_inline.h"
#include "sheaf/extract/blocks/block_text.h"
#include "sheaf/extract/blocks/block_walker.h"
#include "sheaf/extract/generators/permalink.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

constexpr std::size_t kMaxScriptLength = 64;  // bytes; longer raised or lowered text is prose
constexpr std::size_t kMaxMark = 12;          // bytes of a reference to a note: "12", "[iv]", a dagger

InlineKind style_of(html::Name element) {
  switch (element) {
    case html::Name::strong:
    case html::Name::b: return InlineKind::strong;
    case html::Name::em:
    case html::Name::i: return InlineKind::em;
    default: return InlineKind::code;
  }
}

/// Whether the attributes of a link say that it refers to a note.
bool names_note(const html::Document& document, html::NodeId link) {
  for (const html::Attribute& attribute : document.attributes(link)) {
    const std::string_view value = document.value(attribute);
    const std::string_view name = document.names().text(attribute.name);
    if (name.starts_with("data-footnote") || value == "doc-noteref" || value == "noteref") return true;
    if (attribute.name != html::Name::class_ && attribute.name != html::Name::id &&
        attribute.name != html::Name::href)
      continue;
    for (const std::string_view word :
         {"footnote", "fnref", "footref", "noteref", "endnote", "fnanchor", "ftnref"})
      if (value.find(word) != std::string_view::npos) return true;
  }
  return false;
}

/// The mark of a reference: a number, a letter or a sign, without brackets and hidden words before it. Empty
/// if the text is no mark.
std::string_view note_mark(std::string_view text) {
  text = text::trim_space(text);
  text = text.substr(text.find_last_of(" \n") + 1);
  while (!text.empty() && (text.front() == '[' || text.front() == '(')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ']' || text.back() == ')')) text.remove_suffix(1);
  return text.size() <= kMaxMark ? text : std::string_view();
}

}  // namespace

/// Writes a reference to a note from `begin` on in brackets.
bool BlockWalker::write_note_mark(std::size_t begin) {
  TextBuffer& text = sink_.text();
  const std::string_view mark = note_mark(text.text().substr(begin));
  if (mark.empty()) return false;
  scratch_ = '[';
  scratch_ += mark;
  scratch_ += ']';
  text.replace_from(begin, scratch_);
  after_mark_ = text.mark();
  return true;
}

/// Reads a note that the page has inside the text, in the margin or in a tooltip. It becomes an item of the
/// list at the end, with a reference here.
bool BlockWalker::begin_note(html::NodeId note) {
  if (!content_->kept(note) || mode() == Mode::code) return false;
  std::string text;
  for (const html::NodeId node : html::Descendants(*document_, note)) {
    if (document_->kind(node) != html::NodeKind::text) continue;
    const html::NodeId around = document_->parent(node);
    const bool is_mark = html::has_class(*document_, around, "ltx_note_mark") ||
                         html::has_class(*document_, around, "ltx_tag");
    if (!is_mark) text += document_->text(node);
  }
  collapse_space(text, scratch_);
  if (scratch_.empty()) return true;
  notes_.push_back(arena_->copy(scratch_));
  const TextBuffer::Mark here = sink_.text().mark();
  if (here.generation == after_mark_.generation && here.at == after_mark_.at)
    return true;  // it has a reference
  add_inline("[" + std::to_string(notes_.size()) + "]");
  return true;
}

/// Whether the innermost open element that raises text is around this place.
bool BlockWalker::is_in_script() const {
  return std::ranges::any_of(spans_, [](const Span& span) { return span.kind == SpanKind::raised; });
}

/// Whether a link begins its text: the link of a note, back to the text.
bool BlockWalker::is_back_link(const Span& link) const {
  return trim_blank(sink_.text().text().substr(0, sink_.text().begin_of(link.begin))).empty();
}

/// Whether a link around raised text leads to a note.
bool BlockWalker::is_reference(html::NodeId link) const {
  const std::string_view href = document_->attribute(link, html::Name::href).value_or("");
  return href.starts_with('#') || names_note(*document_, link);
}

void BlockWalker::open_span(html::NodeId node, SpanKind kind) {
  if (kind == SpanKind::quotation || kind == SpanKind::reading) ++open_quotations_;
  spans_.push_back({node, kind, sink_.text().mark()});
}

void BlockWalker::close_span() {
  const Span span = spans_.back();
  spans_.pop_back();
  switch (span.kind) {
    case SpanKind::link: return close_link(span);
    case SpanKind::raised: return close_script(span, true);
    case SpanKind::lowered: return close_script(span, false);
    case SpanKind::reading:
    case SpanKind::quotation: return close_quotation(span);
    case SpanKind::styled: sink_.text().add_stretch(span.begin, style_of(document_->name(span.node))); return;
    case SpanKind::title: sink_.text().add_stretch(span.begin, InlineKind::strong); return boundary();
    case SpanKind::term: sink_.text().add_stretch(span.begin, InlineKind::strong); return end_term();
    case SpanKind::citation:
      cite_begin_ = span.begin;
      cite_end_ = sink_.text().text().size();
      return;
  }
}

void BlockWalker::close_link(const Span& span) {
  TextBuffer& text = sink_.text();
  const auto href = document_->attribute(span.node, html::Name::href);
  if (href && is_permalink(*href, text.since(span.begin))) text.cut(text.begin_of(span.begin));
  if (href && href->starts_with('#')) fragment_link_ = span.begin;
  const std::string_view inside = text.since(span.begin);
  if (href && href->starts_with('#') && !inside.empty() && inside.size() <= kMaxMark &&
      inside.front() != '[' && mode() != Mode::code && names_note(*document_, span.node) &&
      base::is_alphanumeric(inside.back()) && !is_in_script() && !is_back_link(span))
    write_note_mark(text.begin_of(span.begin));
  sink_.close_link(span.node);
}

void BlockWalker::close_script(const Span& span, bool raised) {
  TextBuffer& text = sink_.text();
  std::size_t begin = text.begin_of(span.begin);
  while (begin < text.text().size() && text::is_space(text.text()[begin])) ++begin;
  const std::string_view inside = text.text().substr(begin);
  if (inside.empty() || inside.size() > kMaxScriptLength) return;
  // A raised link to a place on the page is a reference to a note, written as [1].
  const bool has_link =
      fragment_link_.generation == span.begin.generation && fragment_link_.at >= span.begin.at;
  const Span* const link = !spans_.empty() && spans_.back().kind == SpanKind::link ? &spans_.back() : nullptr;
  const bool in_link = link != nullptr && is_reference(link->node);
  // A link back to the text has an arrow before the number.
  const std::size_t link_begin = link != nullptr ? text.begin_of(link->begin) : begin;
  const bool after_arrow = !trim_blank(text.text().substr(link_begin, begin - link_begin)).empty();
  if (raised && !after_arrow && (has_link || in_link || names_note(*document_, span.node)) &&
      inside.front() != '(' && write_note_mark(begin))
    return;
  write_script(inside, raised ? Script::super : Script::sub, scratch_);
  const bool is_plain = inside == scratch_;
  text.replace_from(begin, scratch_);
  // Unicode's superscript and subscript characters, ^ and _ show it already.
  if (is_plain && sink_.wants_inlines())
    text.add_stretch(span.begin, raised ? InlineKind::sup : InlineKind::sub);
}

/// Adds the marks that browsers show around a quotation, or parentheses around the reading of a ruby text.
/// Only the outermost element gets them: inserting them moves the text inside, which would take quadratic
/// time for nested ones.
void BlockWalker::close_quotation(const Span& span) {
  if (--open_quotations_ > 0) return;
  TextBuffer& text = sink_.text();
  std::size_t begin = text.begin_of(span.begin);
  while (begin < text.text().size() && text::is_space(text.text()[begin])) ++begin;
  if (begin == text.text().size()) return;
  const bool reading = span.kind == SpanKind::reading;
  text.insert(begin, reading ? "(" : "\u201C");
  text.append_verbatim(reading ? ")" : "\u201D");
}

}  // namespace sheaf::extract
