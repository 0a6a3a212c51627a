#include "sheaf/html/block_text.h"

#include "sheaf/html/scan_internal.h"
#include "sheaf/html/text_compare.h"

#include <cstddef>

namespace sheaf::html {
namespace {

// White space beyond HTML's own, and marks that show nothing: no-break space, the spaces of typography and
// the zero-width one (U+2000 to U+200B), line and paragraph separator, word joiner, ideographic space,
// byte-order mark. All are two or three bytes.
bool is_blank_sequence(std::string_view text) {
  if (text.size() == 2) return text == "\xC2\xA0";
  if (text == "\xE2\x80\xA8" || text == "\xE2\x80\xA9" || text == "\xE2\x81\xA0") return true;
  if (text == "\xE3\x80\x80" || text == "\xEF\xBB\xBF") return true;
  return text.starts_with("\xE2\x80") && static_cast<unsigned char>(text[2]) <= 0x8B;
}

std::size_t blank_at_front(std::string_view text) {
  if (is_space(text.front())) return 1;
  if (static_cast<unsigned char>(text.front()) < 0x80) return 0;
  for (const std::size_t size : {2U, 3U})
    if (text.size() >= size && is_blank_sequence(text.substr(0, size))) return size;
  return 0;
}

std::size_t blank_at_back(std::string_view text) {
  if (is_space(text.back())) return 1;
  if (static_cast<unsigned char>(text.back()) < 0x80) return 0;
  for (const std::size_t size : {2U, 3U})
    if (text.size() >= size && is_blank_sequence(text.substr(text.size() - size))) return size;
  return 0;
}

/// How far the text goes on without white space that would have to change: nothing but spaces, no two in a
/// row, none at the end.
std::size_t plain_run(std::string_view text, const char* readable_end) {
  const char* const end = scan::find_uncollapsed(text.data(), text.data() + text.size(), readable_end);
  const auto size = static_cast<std::size_t>(end - text.data());
  return size > 0 && text[size - 1] == ' ' ? size - 1 : size;
}

std::size_t space_run(std::string_view text, const char* readable_end) {
  return static_cast<std::size_t>(scan::skip_space(text.data(), text.data() + text.size(), readable_end) -
                                  text.data());
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
  out.clear();
  text = trim_blank(text);
  const char* const end = text.data() + text.size();
  while (!text.empty()) {
    const std::size_t run = plain_run(text, end);
    out += text.substr(0, run);
    text.remove_prefix(run);
    if (text.empty()) break;
    text.remove_prefix(space_run(text, end));
    out += ' ';
  }
}

void TextBuffer::separate() {
  if (text_.empty() || (breaks_ == 0 && !space_)) {
    // Nothing is due, or nothing stands before it.
  } else if (breaks_ == 0 || style_ == BreakStyle::space) {
    text_ += ' ';
  } else {
    text_ += style_ == BreakStyle::paragraph && breaks_ > 1 ? "\n\n" : "\n";
  }
  breaks_ = 0;
  space_ = false;
}

void TextBuffer::append(std::string_view text, const char* readable_end) {
  while (!text.empty()) {
    if (const std::size_t spaces = space_run(text, readable_end); spaces > 0) {
      space_ = true;
      text.remove_prefix(spaces);
      continue;
    }
    const std::size_t run = plain_run(text, readable_end);
    separate();
    text_ += text.substr(0, run);
    text.remove_prefix(run);
  }
}

void TextBuffer::append_exact(std::string_view text) {
  separate();
  text_ += text;
}

void TextBuffer::cut(std::size_t at) {
  if (at >= text_.size()) return;
  if (text_[at] == '\n') {
    need_breaks(1);
  } else if (text_[at] == ' ') {
    space_ = true;
  }
  text_.resize(at);
}

void TextBuffer::replace_from(std::size_t at, std::string_view replacement) {
  text_.replace(at, std::string::npos, replacement);
}

}  // namespace sheaf::html
