#include "sheaf/html/run_text.h"

#include "sheaf/html/text_counts.h"

#include <algorithm>
#include <cstring>

namespace sheaf::html {
namespace {

constexpr std::size_t kSpare = 64;  // bytes after the joined text
constexpr std::ptrdiff_t kSmallPiece = 32;

/// Whether a text that begins so may be one of the signs that permalinks are made of (block_inline.h).
bool may_be_sign(char c) { return (c == '#') | (c == '^') | !RunText::is_ascii(c); }

void note_end(std::string_view text, TextRun& run) {
  const char last = text.back();
  // The last bytes of closing quotation marks and of the ellipsis.
  run.ends_sentence = last == '.' || last == '!' || last == '?' || last == ':' || last == '"' ||
                      last == '\x93' || last == '\x9D' || last == '\xA6' || last == '\x82';
  run.ends_colon = last == ':';
  run.ends_cut = last == '\xA6' || text.ends_with("...") || text.ends_with("...]");
}

}  // namespace

void RunText::start(std::string_view readable) {
  readable_ = readable;
  begin_ = 0;
  pieces_ = 0;
  size_ = 0;
  begins_in_link_ = links_by_sign_ = false;
  first_ = {};
  spans_.clear();
}

void RunText::add(std::string_view piece, const char* readable_end, bool parted, std::uint8_t spans) {
  const std::size_t begin = size_;
  if (pieces_ == 0) {
    first_ = piece;
    size_ = piece.size();
  } else {
    if (pieces_ == 1) {
      size_ = 0;
      join(first_, this->readable_end(first_), false);
    }
    join(piece, readable_end, parted);
  }
  ++pieces_;
  ends_in_link_ = (spans & kInLink) != 0;
  if (spans == 0) return;
  begins_in_link_ = begins_in_link_ | (ends_in_link_ & (begin == 0));
  links_by_sign_ = links_by_sign_ | (ends_in_link_ & may_be_sign(piece.front()));
  if (!spans_.empty() && spans_.back().end == begin && spans_.back().spans == spans) {
    spans_.back().end = size_;
  } else {
    spans_.push_back({begin, size_, spans});
  }
}

void RunText::join(std::string_view piece, const char* readable_end, bool parted) {
  const std::size_t needed = begin_ + size_ + piece.size() + 1 + kSpare;
  if (joined_.size() < needed) joined_.resize(std::max(needed, 2 * joined_.size()));
  // A space that nothing was parted by is written over.
  joined_[begin_ + size_] = ' ';
  size_ += parted ? 1 : 0;
  char* const to = joined_.data() + begin_ + size_;
  size_ += piece.size();
  // Most pieces are a few words: a copy of fixed size into the spare bytes needs no look at their number.
  if (std::ssize(piece) <= kSmallPiece && readable_end - piece.data() >= kSmallPiece) {
    std::memcpy(to, piece.data(), kSmallPiece);
  } else {
    std::memcpy(to, piece.data(), piece.size());
  }
}

const char* RunText::readable_end(std::string_view text) const {
  const auto is_in = [text](std::string_view memory) {
    return text.data() >= memory.data() && text.data() < memory.data() + memory.size();
  };
  if (is_in(readable_)) return readable_.data() + readable_.size();
  return is_in(joined_) ? joined_.data() + joined_.size() : text.data() + text.size();
}

void RunText::judge(TextRun& run) const {
  const std::string_view whole = text();
  const char* const end = readable_end(whole);
  const TextCounts counts = count_text(whole, end);
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
      const std::string_view part = whole.substr(span.begin, span.end - span.begin);
      const TextCounts inside = count_chars(part, end);
      chars = inside.chars + inside.word_gaps + (span.begin == 0 ? 1 : 0);
    }
    if ((span.spans & kInLink) != 0) run.link_chars += chars;
    if ((span.spans & kInBold) != 0) run.bold_chars += chars;
    if ((span.spans & kInItalic) != 0) run.italic_chars += chars;
  }
}

}  // namespace sheaf::html
