#include "sheaf/html/run_text.h"

#include "sheaf/html/text_counts.h"
#include "sheaf/html/text_hash.h"

#include <algorithm>
#include <cstring>

namespace sheaf::html {
namespace {

constexpr std::size_t kSpare = 64;  // bytes after the joined text
constexpr std::ptrdiff_t kSmallPiece = 16;

void note_end(std::string_view text, TextRun& run) {
  const char last = text.back();
  // The last bytes of closing quotation marks and of the ellipsis.
  run.ends_sentence = last == '.' || last == '!' || last == '?' || last == ':' || last == '"' ||
                      last == '\x93' || last == '\x9D' || last == '\xA6' || last == '\x82';
  run.ends_colon = last == ':';
  run.ends_cut = last == '\xA6' || text.ends_with("...") || text.ends_with("...]");
}

}  // namespace

void RunText::add(std::string_view piece, bool parted, std::uint8_t spans) {
  const std::size_t begin = size_;
  if (pieces_ == 0) {
    first_ = piece;
    size_ = piece.size();
  } else {
    if (pieces_ == 1) {
      size_ = 0;
      join(first_, false);
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

void RunText::join(std::string_view piece, bool parted) {
  const std::size_t needed = size_ + piece.size() + 1 + kSpare;
  if (joined_.size() < needed) joined_.resize(std::max(needed, 2 * joined_.size()));
  if (parted) joined_[size_++] = ' ';
  // Most pieces are a word or two: a copy of fixed size into the spare bytes needs no look at their number.
  if (std::ssize(piece) <= kSmallPiece && readable_end_of(piece) - piece.data() >= kSmallPiece) {
    std::memcpy(joined_.data() + size_, piece.data(), kSmallPiece);
  } else {
    std::memcpy(joined_.data() + size_, piece.data(), piece.size());
  }
  size_ += piece.size();
}

const char* RunText::readable_end() const {
  return pieces_ > 1 ? joined_.data() + joined_.size() : readable_end_of(first_);
}

const char* RunText::readable_end_of(std::string_view piece) const {
  const bool inside = piece.data() >= readable_.data() && piece.data() < readable_.data() + readable_.size();
  return inside ? readable_.data() + readable_.size() : piece.data() + piece.size();
}

void RunText::judge(TextRun& run) const {
  const std::string_view whole = text();
  const TextCounts counts = count_text(whole, readable_end());
  run.words = counts.word_gaps + 1;
  run.chars = counts.chars + run.words;  // one space for each word
  run.digits = counts.digits;
  run.capitals = counts.capitals;
  run.marks = counts.marks;
  run.commas = counts.commas;
  run.handles = counts.handles;
  run.hash = hash_text(whole);
  note_end(whole, run);
  for (const Span& span : spans_) {
    std::uint32_t chars = run.chars;
    if (span.begin > 0 || span.end < whole.size()) {
      const std::string_view part = whole.substr(span.begin, span.end - span.begin);
      const TextCounts inside = count_text(part, readable_end());
      chars = inside.chars + inside.word_gaps + (span.begin == 0 ? 1 : 0);
    }
    if ((span.spans & kInLink) != 0) run.link_chars += chars;
    if ((span.spans & kInBold) != 0) run.bold_chars += chars;
    if ((span.spans & kInItalic) != 0) run.italic_chars += chars;
  }
}

void RunText::clear() {
  pieces_ = 0;
  size_ = 0;
  first_ = {};
  spans_.clear();
}

}  // namespace sheaf::html
