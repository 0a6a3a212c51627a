// Images, videos, recordings and the figures around them.
#include "sheaf/extract/blocks/block_image.h"
#include "sheaf/extract/blocks/block_inline.h"
#include "sheaf/extract/blocks/block_walker.h"
#include "sheaf/html/dom.h"
#include "sheaf/text/text_compare.h"

namespace sheaf::extract {

/// Adds the block now if no text is being gathered, else after the text.
void BlockWalker::add_embedded(const std::optional<BlockKind>& block) {
  if (!block) return;
  const bool alone = sink_.text().empty() && (mode() == Mode::paragraph || mode() == Mode::quote);
  if (alone) {
    sink_.emit(*block);
    spill_items();
  } else {
    sink_.emit_later(*block);
  }
}

bool BlockWalker::enter_image(html::NodeId node) {
  if (!content_->kept(node)) return false;
  if (is_emoji(*document_, node)) {
    add_inline(text::trim_space(*document_->attribute(node, html::Name::alt)));
    return false;
  }
  if (write_tex_image(*document_, node, scratch_)) {
    add_math(scratch_);
    return false;
  }
  const std::string_view source = image_source(*document_, node);
  if (source.empty()) return false;
  add_embedded(sink_.make_image(source, document_->attribute(node, html::Name::alt).value_or("")));
  last_image_ = node;
  return false;
}

/// Reads the caption of the surrounding figure, once per figure. Per the HTML standard, it is a child of the
/// figure.
void BlockWalker::figure_caption(std::string& out) {
  out.clear();
  if (figures_.empty() || figures_.back().caption_read) return;
  figures_.back().caption_read = true;
  html::NodeId child = document_->first_child(figures_.back().node);
  while (child != html::kNoNode && !document_->is_html(child, html::Name::figcaption))
    child = document_->next(child);
  if (child == html::kNoNode) return;
  std::string text;
  html::append_text_content(*document_, child, text);
  collapse_space(text, out);
}

bool BlockWalker::enter_media(html::NodeId node) {
  if (!content_->kept(node)) return false;
  std::string caption;
  figure_caption(caption);
  const auto block = media_->read_element(node, caption);
  if (block && media_->used_caption()) figures_.back().caption_used = true;
  add_embedded(block);
  return false;
}

bool BlockWalker::enter_frame(html::NodeId node) {
  const bool is_object = document_->is_html(node, html::Name::object);
  if (!content_->kept(node)) return is_object;
  std::string caption;
  figure_caption(caption);
  const auto block = media_->read_frame(node, caption);
  if (block && media_->used_caption()) figures_.back().caption_used = true;
  add_embedded(block);
  return is_object && !block;
}

/// Skips a noscript after an image that was usable: it is the fallback of the image, which is loaded lazily.
bool BlockWalker::enter_noscript(html::NodeId node) {
  html::NodeId before = document_->previous(node);
  while (before != html::kNoNode && !document_->is_element(before)) before = document_->previous(before);
  const bool twin = before != html::kNoNode && last_image_ != html::kNoNode &&
                    (before == last_image_ || before == document_->parent(last_image_));
  if (twin) return false;
  boundary();
  return true;
}

/// Drops a caption that has become the name of a video or repeats the alt of the image before it. Makes it
/// the citation if a quote without one precedes it. Any other caption is read as text.
bool BlockWalker::enter_caption(html::NodeId node) {
  if (figures_.empty() || mode() != Mode::paragraph) {
    boundary();
    return true;
  }
  boundary();
  Figure& figure = figures_.back();
  if (figure.caption_used) return false;
  if (figure.caption_reached || sink_.blocks().size() <= figure.first_block) return true;
  figure.caption_reached = true;
  std::string text;
  html::append_text_content(*document_, node, text);
  collapse_space(text, scratch_);
  Block& last = sink_.blocks().back();
  if (const auto* image = std::get_if<ImageBlock>(&last.kind)) return image->alt != scratch_;
  auto* quote = std::get_if<QuoteBlock>(&last.kind);
  if (quote == nullptr || quote->citation || scratch_.empty() || !content_->kept(node)) return true;
  quote->citation = arena_->copy(scratch_);
  return false;
}

/// Writes the checkbox of an item in a task list.
bool BlockWalker::enter_input(html::NodeId node) {
  if (!content_->kept(node) || mode() != Mode::item || !sink_.text().empty()) return false;
  if (!text::equal_text(document_->attribute(node, html::Name::type).value_or(""), "checkbox",
                        text::TextCase::ignore))
    return false;
  add_inline(document_->attribute(node, html::Name::checked) ? "[x]" : "[ ]");
  sink_.text().add_space();
  return false;
}

}  // namespace sheaf::extract
