#include "sheaf/markdown/page_notes.h"

#include "sheaf/base/ascii.h"
#include "sheaf/model/plain_text.h"

#include <algorithm>
#include <variant>

namespace sheaf::markdown {
namespace {

constexpr std::size_t kMaxNotes = 10'000;

/// Checks that the marks in a page refer to all notes and that the first marks of the notes are in order. The
/// order matters because Markdown renumbers footnotes by their first marks.
class NoteCounter {
 public:
  explicit NoteCounter(std::size_t notes) : notes_(notes) {}

  void read(const Block& block) {
    block_ = &block;
    texts_ = 0;
    std::visit(*this, block.kind);
  }
  [[nodiscard]] bool all_in_order() const { return in_order_ && seen_ == notes_; }

  void operator()(const TextBlock& block) { read_text(block.text); }
  void operator()(const HeadingBlock& block) { read_text(block.text); }
  void operator()(const QuoteBlock& block) { read_text(block.text); }
  void operator()(const ListBlock& block) {
    for (const Text item : block.items) read_text(item);
  }
  void operator()(const TableBlock& block) {
    for (const List<Text>& row : block.rows)
      for (const Text cell : row) read_text(cell);
  }
  template <class Other>
  void operator()(const Other&) {}

 private:
  void read_text(Text text) {
    const std::size_t index = texts_++;
    const List<Inline> inlines = index < block_->inlines.size() ? block_->inlines[index] : List<Inline>();
    for (const FootnoteReference& mark : find_footnote_references(text, inlines, notes_)) {
      in_order_ = in_order_ && mark.number <= seen_ + 1;
      seen_ = std::max<std::size_t>(seen_, mark.number);
    }
  }

  std::size_t notes_;
  std::size_t seen_ = 0;  ///< highest note number seen so far
  const Block* block_ = nullptr;
  std::size_t texts_ = 0;  ///< texts of the block read so far
  bool in_order_ = true;
};

/// The mark at the front of a text; its number is 0 if there is none.
FootnoteReference mark_at_front(std::string_view text) {
  constexpr std::size_t kDigits = 5;
  FootnoteReference mark;
  std::size_t at = 1;
  std::uint32_t number = 0;
  for (; at < text.size() && at <= kDigits && base::is_digit(text[at]); ++at)
    number = number * 10 + static_cast<std::uint32_t>(text[at] - '0');
  const bool closed = at > 1 && text[1] != '0' && at < text.size() && text[at] == ']';
  if (closed) mark = {0, at + 1, number};
  return mark;
}

std::vector<FootnoteReference> numbers_in_brackets(std::string_view text, std::size_t notes) {
  std::vector<FootnoteReference> marks;
  if (notes == 0) return marks;
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    const FootnoteReference mark = mark_at_front(text.substr(at));
    if (mark.number > 0 && mark.number <= notes) marks.push_back({at, at + mark.end, mark.number});
  }
  return marks;
}

/// Whether a number in brackets can be a mark, given an inline range of the text.
bool can_be_note(const FootnoteReference& mark, std::size_t begin, std::size_t end, InlineKind kind) {
  const bool apart = end <= mark.begin || begin >= mark.end;
  const bool range_inside = begin >= mark.begin && end <= mark.end;
  if (apart || range_inside) return true;
  const bool mark_inside = begin <= mark.begin && end >= mark.end;
  return mark_inside && kind != InlineKind::code && kind != InlineKind::math && kind != InlineKind::link;
}

/// Whether a list item can be a footnote. Nested items, which are indented, cannot.
bool is_note(Text item) { return !item.empty() && item.front() != ' '; }

}  // namespace

std::vector<FootnoteReference> find_footnote_references(Text text, List<Inline> inlines, std::size_t notes) {
  constexpr std::size_t kMaxPairs = 1'000'000;
  std::vector<FootnoteReference> marks = numbers_in_brackets(text, notes);
  if (marks.empty() || inlines.empty()) return marks;
  if (marks.size() * inlines.size() > kMaxPairs) return {};
  std::vector<std::uint32_t> places;
  for (const Inline& range : inlines) places.insert(places.end(), {range.from, range.to});
  const std::vector<std::size_t> bytes = model::byte_offsets(text, places);
  for (std::size_t i = 0; i < inlines.size(); ++i)
    std::erase_if(marks, [&, begin = bytes[2 * i], end = bytes[2 * i + 1]](const FootnoteReference& mark) {
      return !can_be_note(mark, begin, end, inlines[i].kind);
    });
  return marks;
}

std::size_t count_footnotes(const Page& page) {
  if (page.content.empty()) return 0;
  const auto* const list = std::get_if<ListBlock>(&page.content.back().kind);
  if (list == nullptr || !list->ordered || list->start != 1 || list->items.empty()) return 0;
  if (list->items.size() > kMaxNotes || !std::ranges::all_of(list->items, is_note)) return 0;
  NoteCounter counter(list->items.size());
  for (std::size_t i = 0; i + 1 < page.content.size(); ++i) counter.read(page.content[i]);
  return counter.all_in_order() ? list->items.size() : 0;
}

}  // namespace sheaf::markdown
