#include "sheaf/extract/blocks/block_sink.h"

#include "sheaf/model/plain_text.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <span>
#include <utility>

namespace sheaf::extract {

void BlockSink::start(const html::Document& document, LinkResolver& links, Arena& arena,
                      const BlockOptions& options) {
  document_ = &document;
  resolver_ = &links;
  arena_ = &arena;
  link_blocks_ = options.links;
  inline_structure_ = options.inline_structure;
  text_.start(BreakStyle::line);
  blocks_.clear();
  waiting_.clear();
  waiting_links_.clear();
  items_.clear();
  item_inlines_.clear();
  taken_inlines_.clear();
  open_link_ = {};
  links_.clear();
  last_link_ = html::kNoNode;
  images_.clear();
}

void BlockSink::emit(BlockKind kind, List<Inline> inlines) {
  end_list();
  Block& block = blocks_.emplace_back();
  block.kind = kind;
  if (!inlines.empty()) block.inlines = arena_->copy(std::span<const List<Inline>>(&inlines, 1));
}

void BlockSink::emit_table(const TableBlock& table, List<List<Inline>> inlines) {
  emit(table);
  if (std::ranges::any_of(inlines, [](const auto& ranges) { return !ranges.empty(); }))
    blocks_.back().inlines = inlines;
}

/// Sets taken_inlines_ to the ranges of the current text, relative to `trimmed`, which is a part of it.
void BlockSink::note_inlines(std::string_view trimmed) {
  taken_inlines_.clear();
  if (!wants_inlines() || text_.stretches().empty()) return;
  const auto cut = static_cast<std::size_t>(trimmed.data() - text_.text().data());
  std::vector<TextBuffer::Stretch> stretches = text_.stretches();
  std::ranges::stable_sort(stretches, [](const auto& a, const auto& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<std::size_t> places;
  for (const TextBuffer::Stretch& stretch : stretches) {
    const std::size_t end = std::min(std::max(stretch.end, cut) - cut, trimmed.size());
    places.insert(places.end(), {std::min(std::max(stretch.begin, cut) - cut, end), end});
  }
  const std::vector<std::uint32_t> units = model::utf16_offsets(trimmed, places);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const Inline range{units[2 * i], units[2 * i + 1], stretches[i].kind, stretches[i].url};
    const bool is_repeated = !taken_inlines_.empty() && taken_inlines_.back() == range;  // <b><b>
    if (range.from < range.to && !is_repeated) taken_inlines_.push_back(range);
  }
}

List<Inline> BlockSink::taken_inlines(std::uint32_t shift) {
  for (Inline& range : taken_inlines_) {
    range.from += shift;
    range.to += shift;
  }
  return arena_->copy(std::span<const Inline>(taken_inlines_));
}

/// Marks a link in the text, unless it is a heading that links to itself.
void BlockSink::mark_link(html::NodeId link, TextBuffer::Mark begin) {
  const auto href = document_->attribute(link, html::Name::href);
  if (!href || (href->starts_with('#') && text_.style() == BreakStyle::space)) return;
  if (const auto url = resolver_->resolve(*href)) text_.add_stretch(begin, InlineKind::link, *url);
}

void BlockSink::emit_links() {
  for (const LinkBlock& link : waiting_links_) blocks_.push_back({link, {}});
  waiting_links_.clear();
}

void BlockSink::emit_waiting() {
  if (waiting_.empty() && waiting_links_.empty()) return;
  end_list();
  emit_links();
  for (const BlockKind& kind : waiting_) blocks_.push_back({kind, {}});
  waiting_.clear();
}

std::optional<BlockKind> BlockSink::make_image(std::string_view source, std::string_view alt) {
  const auto url = resolver_->resolve(source);
  if (!url || !images_.insert(*url).second) return std::nullopt;
  collapse_space(alt, scratch_);
  return ImageBlock{*url, arena_->copy(scratch_)};
}

void BlockSink::close_link(html::NodeId link) {
  if (open_link_.node != link) return;
  const std::size_t begin = text_.begin_of(open_link_.begin);
  const std::size_t end = text_.text().size();
  const bool wanted = link_blocks_ == LinkBlocks::all;
  if (begin < end && wants_inlines()) mark_link(link, open_link_.begin);
  if (begin < end)
    links_.push_back({link, begin, end, wanted ? arena_->copy(text_.text().substr(begin)) : Text()});
  open_link_ = {};
}

/// Ends the open link with the current text and opens it again: a link around several blocks counts for each.
void BlockSink::split_open_link() {
  if (open_link_.node == html::kNoNode) return;
  const html::NodeId node = open_link_.node;
  close_link(node);
  // The mark is in the text that ends now; in the next text it means the beginning.
  open_link_ = {node, text_.mark()};
}

std::optional<LinkBlock> BlockSink::make_link(html::NodeId node, std::string_view text) {
  text = trim_blank(text);
  const auto href = document_->attribute(node, html::Name::href);
  if (!href || text.empty()) return std::nullopt;
  const auto url = resolver_->resolve(*href);
  if (!url) return std::nullopt;
  LinkBlock block{*url, arena_->copy(text), std::nullopt};
  std::vector<Text> words;
  std::string_view rel = document_->attribute(node, html::Name::rel).value_or("");
  constexpr std::size_t kMaxWords = 16;
  for (std::string_view word = text::take_word(rel); !word.empty() && words.size() < kMaxWords;
       word = text::take_word(rel)) {
    scratch_.clear();
    for (const char c : word) scratch_ += text::lower_ascii(c);
    words.push_back(arena_->copy(scratch_));
  }
  if (!words.empty()) block.rel = arena_->copy(std::span<const Text>(words));
  return block;
}

void BlockSink::queue_links() {
  if (link_blocks_ != LinkBlocks::all) return;
  for (const LinkSpan& span : links_)
    if (const auto block = make_link(span.node, span.text)) waiting_links_.push_back(*block);
}

bool BlockSink::emit_standalone_link(std::string_view trimmed) {
  if (link_blocks_ == LinkBlocks::none || links_.size() != 1 || links_.front().node == last_link_)
    return false;
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
      note_inlines(trimmed);
      emit(TextBlock{arena_->copy(trimmed)}, taken_inlines());
    }
    links_.clear();
  }
  const bool had_something = !text_.empty() || has_waiting();
  text_.start(BreakStyle::line);
  if (had_something) emit_waiting();
}

Text BlockSink::take_text(BreakStyle next) {
  split_open_link();
  queue_links();
  links_.clear();
  const std::string_view trimmed = trim_blank(text_.text());
  note_inlines(trimmed);
  const Text text = arena_->copy(trimmed);
  text_.start(next);
  return text;
}

void BlockSink::add_item(Text item, bool ordered, std::int64_t number, List<Inline> inlines) {
  if (items_.empty()) {
    ordered_ = ordered;
    list_start_ = ordered && wants_inlines() ? number : 1;
  }
  items_.push_back(item);
  item_inlines_.push_back(inlines);
}

void BlockSink::end_list() {
  if (items_.empty()) return;
  Block& block = blocks_.emplace_back();
  block.kind = ListBlock{ordered_, arena_->copy(std::span<const Text>(items_)), list_start_};
  if (std::ranges::any_of(item_inlines_, [](const auto& ranges) { return !ranges.empty(); }))
    block.inlines = arena_->copy(std::span<const List<Inline>>(item_inlines_));
  items_.clear();
  item_inlines_.clear();
  emit_links();
}

}  // namespace sheaf::extract
