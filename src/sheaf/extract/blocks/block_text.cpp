#include "sheaf/extract/blocks/block_text.h"

#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace sheaf::extract {
namespace {

// Invisible characters that are not HTML white space: no-break space, typographic spaces and zero-width space
// (U+2000 to U+200B), line and paragraph separator, word joiner, ideographic space, byte order mark. Each
// takes two or three bytes.
bool is_blank_sequence(std::string_view text) {
  if (text.size() == 2) return text == "\xC2\xA0";
  if (text == "\xE2\x80\xA8" || text == "\xE2\x80\xA9" || text == "\xE2\x81\xA0") return true;
  if (text == "\xE3\x80\x80" || text == "\xEF\xBB\xBF") return true;
  return text.starts_with("\xE2\x80") && static_cast<unsigned char>(text[2]) <= 0x8B;
}

std::size_t blank_at_front(std::string_view text) {
  if (text::is_space(text.front())) return 1;
  if (static_cast<unsigned char>(text.front()) < 0x80) return 0;
  for (const std::size_t size : {2U, 3U})
    if (text.size() >= size && is_blank_sequence(text.substr(0, size))) return size;
  return 0;
}

std::size_t blank_at_back(std::string_view text) {
  if (text::is_space(text.back())) return 1;
  if (static_cast<unsigned char>(text.back()) < 0x80) return 0;
  for (const std::size_t size : {2U, 3U})
    if (text.size() >= size && is_blank_sequence(text.substr(text.size() - size))) return size;
  return 0;
}

}  // namespace

std::string_view trim_blank(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = blank_at_front(text);
    if (size == 0) break;
    text.remove_prefix(size);
  }
  while (!text.empty()) {
    const std::size_t size = blank_at_back(text);
    if (size == 0) break;
    text.remove_suffix(size);
  }
  return text;
}

void collapse_space(std::string_view text, std::string& out) {
  text = trim_blank(text);
  out.resize(text.size() + text::scan::kCopyRoom);
  const text::scan::Collapsed copy = text::scan::copy_collapsed(text, out.data());
  out.resize(static_cast<std::size_t>(copy.end - out.data()));
}

void TextBuffer::grow(std::size_t bytes) { text_.resize(std::max(bytes, 2 * text_.size())); }

void TextBuffer::put(text::PaddedText text) {
  make_room(text.size());
  text::copy_padded(text, text_.data() + size_);
  size_ += text.size();
}

void TextBuffer::write_breaks() {
  if (size_ > 0) {
    const bool line = style_ != BreakStyle::space;
    text_[size_++] = line ? '\n' : ' ';
    if (style_ == BreakStyle::paragraph && breaks_ > 1) text_[size_++] = '\n';
  }
  breaks_ = 0;
  space_ = false;
}

void TextBuffer::append(text::PaddedText text) {
  const char* const begin = text::scan::skip_any_space(text);
  space_ = space_ | (begin != text.data());
  if (begin == text.end()) return;
  make_room(kMaxSeparatorLength + text.size() + text::scan::kCopyRoom);
  separate();
  const text::scan::Collapsed copy = text::scan::copy_collapsed(text.from(begin), text_.data() + size_);
  size_ = static_cast<std::size_t>(copy.end - text_.data());
  space_ = copy.ends_in_space;
}

void TextBuffer::append_exact(std::string_view text) {
  make_room(kMaxSeparatorLength);
  separate();
  append_verbatim(text);
}

void TextBuffer::add_stretch(Mark begin, InlineKind kind, Text url) {
  std::size_t from = begin_of(begin);
  std::size_t to = size_;
  while (from < to && text::is_space(text_[from])) ++from;
  while (from < to && text::is_space(text_[to - 1])) --to;
  if (from < to) stretches_.push_back({from, to, kind, url});
}

void TextBuffer::cut(std::size_t at) {
  if (at >= size_) return;
  std::erase_if(stretches_, [at](const Stretch& stretch) { return stretch.begin >= at; });
  for (Stretch& stretch : stretches_) stretch.end = std::min(stretch.end, at);
  if (text_[at] == '\n') {
    need_breaks(1);
  } else if (text_[at] == ' ') {
    space_ = true;
  }
  size_ = at;
}

void TextBuffer::replace_from(std::size_t at, std::string_view replacement) {
  size_ = at;
  append_verbatim(replacement);
  for (Stretch& stretch : stretches_) {
    if (stretch.end <= at) continue;
    stretch.begin = std::min(stretch.begin, at);
    stretch.end = size_;
  }
}

void TextBuffer::insert(std::size_t at, std::string_view text) {
  make_room(text.size());
  std::memmove(text_.data() + at + text.size(), text_.data() + at, size_ - at);
  std::memcpy(text_.data() + at, text.data(), text.size());
  size_ += text.size();
  for (Stretch& stretch : stretches_) {
    if (stretch.begin >= at) stretch.begin += text.size();
    if (stretch.end > at) stretch.end += text.size();
  }
}

}  // namespace sheaf::extract
