#include "sheaf/html/block_sink.h"

#include "sheaf/html/text_compare.h"

#include <span>
#include <utility>

namespace sheaf::html {

void BlockSink::start(const Document& document, LinkResolver& links, base::Arena& arena,
                      LinkBlocks link_blocks) {
  document_ = &document;
  resolver_ = &links;
  arena_ = &arena;
  link_blocks_ = link_blocks;
  text_.start(BreakStyle::line);
  blocks_.clear();
  waiting_.clear();
  waiting_links_.clear();
  items_.clear();
  open_link_ = {};
  links_.clear();
  last_link_ = kNoNode;
  images_.clear();
}

void BlockSink::emit(model::BlockKind kind) {
  end_list();
  blocks_.push_back({kind, {}});
}

void BlockSink::emit_links() {
  for (const model::LinkBlock& link : waiting_links_) blocks_.push_back({link, {}});
  waiting_links_.clear();
}

void BlockSink::emit_waiting() {
  if (waiting_.empty() && waiting_links_.empty()) return;
  end_list();
  emit_links();
  for (const model::BlockKind& kind : waiting_) blocks_.push_back({kind, {}});
  waiting_.clear();
}

std::optional<model::BlockKind> BlockSink::make_image(std::string_view source, std::string_view alt) {
  const auto url = resolver_->resolve(source);
  if (!url || !images_.insert(*url).second) return std::nullopt;
  collapse_space(alt, scratch_);
  return model::ImageBlock{*url, arena_->copy(scratch_)};
}

void BlockSink::close_link(NodeId link) {
  if (open_link_.node != link) return;
  const std::size_t begin = text_.begin_of(open_link_.begin);
  const std::size_t end = text_.text().size();
  const bool wanted = link_blocks_ == LinkBlocks::all;
  if (begin < end)
    links_.push_back({link, begin, end, wanted ? arena_->copy(text_.text().substr(begin)) : model::Text()});
  open_link_ = {};
}

/// A link around several blocks counts for each of them.
void BlockSink::split_open_link() {
  if (open_link_.node == kNoNode) return;
  const NodeId node = open_link_.node;
  close_link(node);
  open_link_ = {node, text_.mark()};  // of a text that ends now: in the next one it begins at the front
}

std::optional<model::LinkBlock> BlockSink::make_link(NodeId node, std::string_view text) {
  text = trim_blank(text);
  const auto href = document_->attribute(node, Name::href);
  if (!href || text.empty()) return std::nullopt;
  const auto url = resolver_->resolve(*href);
  if (!url) return std::nullopt;
  model::LinkBlock block{*url, arena_->copy(text), std::nullopt};
  std::vector<model::Text> words;
  std::string_view rel = document_->attribute(node, Name::rel).value_or("");
  constexpr std::size_t kMostWords = 16;
  for (std::string_view word = take_word(rel); !word.empty() && words.size() < kMostWords;
       word = take_word(rel)) {
    scratch_.clear();
    for (const char c : word) scratch_ += lower_ascii(c);
    words.push_back(arena_->copy(scratch_));
  }
  if (!words.empty()) block.rel = arena_->copy(std::span<const model::Text>(words));
  return block;
}

void BlockSink::queue_links() {
  if (link_blocks_ == LinkBlocks::standalone) return;
  for (const LinkSpan& span : links_)
    if (const auto block = make_link(span.node, span.text)) waiting_links_.push_back(*block);
}

bool BlockSink::emit_standalone_link(std::string_view trimmed) {
  if (links_.size() != 1 || links_.front().node == last_link_) return false;
  const LinkSpan& span = links_.front();
  const std::string_view text = text_.text();
  if (span.end > text.size()) return false;
  if (trim_blank(text.substr(span.begin, span.end - span.begin)).size() != trimmed.size()) return false;
  const auto block = make_link(span.node, trimmed);
  if (!block) return false;
  last_link_ = span.node;
  emit(*block);
  return true;
}

void BlockSink::end_paragraph() {
  if (!text_.empty()) {
    split_open_link();
    const std::string_view trimmed = trim_blank(text_.text());
    if (!trimmed.empty() && !emit_standalone_link(trimmed)) {
      queue_links();
      emit(model::TextBlock{arena_->copy(trimmed)});
    }
    links_.clear();
  }
  const bool had_something = !text_.empty() || has_waiting();
  text_.start(BreakStyle::line);
  if (had_something) emit_waiting();
}

model::Text BlockSink::take_text(BreakStyle next) {
  split_open_link();
  queue_links();
  links_.clear();
  const model::Text text = arena_->copy(trim_blank(text_.text()));
  text_.start(next);
  return text;
}

void BlockSink::add_item(model::Text item, bool ordered) {
  if (items_.empty()) ordered_ = ordered;
  items_.push_back(item);
}

void BlockSink::end_list() {
  if (items_.empty()) return;
  blocks_.push_back({model::ListBlock{ordered_, arena_->copy(std::span<const model::Text>(items_))}, {}});
  items_.clear();
  emit_links();
}

}  // namespace sheaf::html
