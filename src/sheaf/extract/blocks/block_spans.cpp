// Inline elements: links, emphasis, code, raised and lowered text, quotations.
#include "sheaf/extract/blocks/block_inline.h"
#include "sheaf/extract/blocks/block_walker.h"
#include "sheaf/extract/generators/permalink.h"
#include "sheaf/text/text_compare.h"

#include <string_view>

namespace sheaf::extract {
namespace {

constexpr std::size_t kMaxScriptLength = 64;  // bytes; longer raised or lowered text is prose

InlineKind style_of(html::Name element) {
  switch (element) {
    case html::Name::strong:
    case html::Name::b: return InlineKind::strong;
    case html::Name::em:
    case html::Name::i: return InlineKind::em;
    default: return InlineKind::code;
  }
}

}  // namespace

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
  sink_.close_link(span.node);
}

void BlockWalker::close_script(const Span& span, bool raised) {
  TextBuffer& text = sink_.text();
  std::size_t begin = text.begin_of(span.begin);
  while (begin < text.text().size() && text::is_space(text.text()[begin])) ++begin;
  const std::string_view inside = text.text().substr(begin);
  if (inside.empty() || inside.size() > kMaxScriptLength) return;
  // A raised link to a place on the page is a reference to a note, written as [1].
  const bool note = raised && fragment_link_.generation == span.begin.generation &&
                    fragment_link_.at >= span.begin.at && inside.front() != '[' && inside.front() != '(';
  if (note) {
    scratch_ = '[';
    scratch_ += inside;
    scratch_ += ']';
  } else {
    write_script(inside, raised ? Script::super : Script::sub, scratch_);
  }
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
