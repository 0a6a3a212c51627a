#include "sheaf/extract/outline/run_text.h"

#include "sheaf/text/text_counts.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

constexpr std::size_t kPadding = 64;  // bytes after the joined texts: the widest vector block
static_assert(kPadding >= text::kCopyPadding);

void note_end(std::string_view text, TextRun& run) {
  const char last = text.back();
  // The last bytes of closing quotation marks and of the ellipsis.
  run.ends_sentence = last == '.' || last == '!' || last == '?' || last == ':' || last == '"' ||
                      last == '\x93' || last == '\x9D' || last == '\xA6' || last == '\x82';
  run.ends_colon = last == ':';
  run.ends_cut = last == '\xA6' || text.ends_with("...") || text.ends_with("...]");
}

}  // namespace

void RunText::start(std::string_view input) {
  input_ = input;
  begin_ = 0;
  pieces_ = 0;
  size_ = 0;
  first_ = {};
  spans_.clear();
}

void RunText::add(text::PaddedText piece, bool parted, std::uint8_t spans) {
  const std::size_t begin = size_;
  if (pieces_ == 0) {
    first_ = piece;
    size_ = piece.size();
  } else {
    if (pieces_ == 1) {
      size_ = 0;
      join(padded(first_), false);
    }
    join(piece, parted);
  }
  ++pieces_;
  if (spans == 0) return;
  if (!spans_.empty() && spans_.back().end == begin && spans_.back().spans == spans) {
    spans_.back().end = size_;
  } else {
    spans_.push_back({begin, size_, spans});
  }
}

void RunText::join(text::PaddedText piece, bool parted) {
  const std::size_t needed = begin_ + size_ + piece.size() + 1 + kPadding;
  if (joined_.size() < needed) joined_.resize(std::max(needed, 2 * joined_.size()));
  // Branch-free: a space that separates nothing is overwritten.
  joined_[begin_ + size_] = ' ';
  size_ += parted ? 1 : 0;
  text::copy_padded(piece, joined_.data() + begin_ + size_);
  size_ += piece.size();
}

text::PaddedText RunText::padded(std::string_view text) const {
  const auto is_in = [text](std::string_view memory) {
    return text.data() >= memory.data() && text.data() < memory.data() + memory.size();
  };
  if (is_in(input_)) return text::PaddedText::inside(text, input_);
  return is_in(joined_) ? text::PaddedText::inside(text, joined_) : text::PaddedText(text);
}

void RunText::judge(TextRun& run) const {
  const text::PaddedText whole = padded(text());
  const text::TextCounts counts = text::count_text(whole);
  run.words = counts.word_gaps + 1;
  run.chars = counts.chars + run.words;  // one space for each word
  run.digits = counts.digits;
  run.capitals = counts.capitals;
  run.marks = counts.marks;
  run.commas = counts.commas;
  run.handles = counts.handles;
  note_end(whole, run);
  for (const Span& span : spans_) {
    std::uint32_t chars = run.chars;
    if (span.begin > 0 || span.end < whole.size()) {
      const text::TextCounts inside =
          text::count_chars(whole.part(whole.data() + span.begin, whole.data() + span.end));
      chars = inside.chars + inside.word_gaps + (span.begin == 0 ? 1 : 0);
    }
    if ((span.spans & kInLink) != 0) run.link_chars += chars;
    if ((span.spans & kInBold) != 0) run.bold_chars += chars;
    if ((span.spans & kInItalic) != 0) run.italic_chars += chars;
  }
}

}  // namespace sheaf::extract
