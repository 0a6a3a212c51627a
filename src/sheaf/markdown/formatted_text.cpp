#include "sheaf/markdown/formatted_text.h"

#include "sheaf/base/ascii.h"
#include "sheaf/model/plain_text.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <iterator>

namespace sheaf::markdown {
namespace {

// Inner text is copied once for each range around it, and every line has the marks of all ranges around it.
// Authors nest two or three.
constexpr std::size_t kMaxNesting = 16;

/// Whether an emphasis delimiter is recognised between the character `outside` the emphasis and the character
/// `inside` it. In CommonMark there must not be punctuation inside if there is a word outside. Non-ASCII
/// characters may be either.
bool may_emphasize(char outside, char inside) {
  if (text::is_space(inside)) return false;
  return base::is_alphanumeric(inside) ||
         !(base::is_alphanumeric(outside) || static_cast<unsigned char>(outside) >= 0x80);
}

std::string code_span(std::string_view code, MarkdownPlace place) {
  std::size_t fence = 1;
  std::size_t run = 0;
  for (const char c : code) {
    run = c == '`' ? run + 1 : 0;
    fence = std::max(fence, run + 1);
  }
  const bool padded = code.starts_with('`') || code.ends_with('`');
  std::string span(fence, '`');
  if (padded) span += ' ';
  for (const char c : code) {
    if (c == '|' && place == MarkdownPlace::cell) span += '\\';
    span += c;
  }
  if (padded) span += ' ';
  return span.append(fence, '`');
}

/// One line of a text. `Range` is FormattedText::Range, which is private.
template <class Range>
class MarkedLine {
 public:
  MarkedLine(std::string_view text, std::span<const Range> ranges) : text_(text), ranges_(ranges) {}

  void write(std::string& out, std::size_t begin, std::size_t end, MarkdownPlace place) {
    const std::size_t line_begin = begin;
    while (next_ < ranges_.size() && ranges_[next_].begin < end) {
      const Range& range = ranges_[next_++];
      plain(out, begin, range.begin, begin == line_begin ? place : inside(place));
      styled(out, range, place);
      // A mark at the start of a line that is followed by a colon would define the footnote.
      if (range.is_note && range.begin == line_begin && text_.substr(range.end).starts_with(':')) out += '\\';
      begin = range.end;
    }
    plain(out, begin, end, begin == line_begin || place == MarkdownPlace::heading ? place : inside(place));
  }

 private:
  /// The place of text that is not at the start of a line, where no character begins a block.
  static MarkdownPlace inside(MarkdownPlace place) {
    return place == MarkdownPlace::block || place == MarkdownPlace::heading ? MarkdownPlace::inside : place;
  }

  void plain(std::string& out, std::size_t begin, std::size_t end, MarkdownPlace place) const {
    if (begin < end) append_markdown_text(out, text_.substr(begin, end - begin), place);
  }

  void skip_inner(const Range& range) {
    while (next_ < ranges_.size() && ranges_[next_].begin < range.end) ++next_;
  }

  void styled(std::string& out, const Range& range, MarkdownPlace place) {
    const std::string_view raw = text_.substr(range.begin, range.end - range.begin);
    if (range.is_note) {
      out.append("[^").append(raw.substr(1));
      return;
    }
    switch (range.kind) {
      case InlineKind::code:
        skip_inner(range);
        out += code_span(raw, place);
        return;
      case InlineKind::math:
        skip_inner(range);
        out += raw;
        return;
      case InlineKind::link: return link(out, range, place);
      case InlineKind::strong: return emphasis(out, range, place, "**", "strong");
      case InlineKind::em: return emphasis(out, range, place, "*", "em");
      case InlineKind::sub: return element(out, inner(range, place), "sub");
      case InlineKind::sup: return element(out, inner(range, place), "sup");
    }
  }

  std::string inner(const Range& range, MarkdownPlace place) {
    std::string text;
    write(text, range.begin, range.end, inside(place));
    return text;
  }

  void link(std::string& out, const Range& range, MarkdownPlace place) {
    if (out.ends_with('!')) out.insert(out.size() - 1, 1, '\\');  // else the link would be an image
    const std::string text = inner(range, place == MarkdownPlace::cell ? place : MarkdownPlace::link);
    out.append("[").append(text).append("](");
    append_link_destination(out, range.url);
    out += ')';
  }

  static void element(std::string& out, const std::string& text, std::string_view name) {
    out.append("<").append(name).append(">").append(text).append("</").append(name).append(">");
  }

  void emphasis(std::string& out, const Range& range, MarkdownPlace place, std::string_view sign,
                std::string_view name) {
    const std::string text = inner(range, place);
    const char before = out.empty() ? ' ' : out.back();
    const char after = range.end < text_.size() ? text_[range.end] : ' ';
    const bool touches = before == '*' || text.front() == '*' || text.back() == '*' || after == '*';
    if (touches || !may_emphasize(before, text.front()) || !may_emphasize(after, text.back()))
      return element(out, text, name);
    out.append(sign).append(text).append(sign);
  }

  std::string_view text_;
  std::span<const Range> ranges_;
  std::size_t next_ = 0;
};

/// The line break after a line: a backslash, or two spaces if the line ends with a URL, because the backslash
/// would become part of the URL.
std::string_view break_after(std::string_view line) {
  const std::size_t space = line.find_last_of(" \t");
  const std::string_view word = line.substr(space == std::string_view::npos ? 0 : space + 1);
  const bool is_url =
      word.find("://") != std::string_view::npos || base::lower_text(word).find("www.") != std::string::npos;
  return is_url ? "  \n" : "\\\n";
}

}  // namespace

FormattedText::FormattedText(Text text, List<Inline> inlines, std::size_t notes) : text_(text) {
  std::vector<std::uint32_t> places;
  for (const Inline& range : inlines) places.insert(places.end(), {range.from, range.to});
  const std::vector<std::size_t> bytes = model::byte_offsets(text, places);
  for (std::size_t i = 0; i < inlines.size(); ++i) {
    const Range range{bytes[2 * i], bytes[2 * i + 1], inlines[i].kind, inlines[i].url};
    if (range.end != model::kNoOffset && range.begin < range.end) ranges_.push_back(range);
  }
  if (notes > 0) add_notes(find_footnote_references(text, inlines, notes));
  drop_deep_ranges();
}

/// Drops ranges inside too many others.
void FormattedText::drop_deep_ranges() {
  std::vector<std::size_t> ends;  // of the ranges around the current one
  std::erase_if(ranges_, [&](const Range& range) {
    while (!ends.empty() && ends.back() <= range.begin) ends.pop_back();
    if (ends.size() == kMaxNesting) return true;
    ends.push_back(range.end);
    return false;
  });
}

/// Adds the marks as ranges and removes the links inside them, which the marks replace.
void FormattedText::add_notes(std::span<const FootnoteReference> marks) {
  if (marks.empty()) return;
  std::erase_if(ranges_, [marks](const Range& range) {
    const auto after = std::ranges::upper_bound(marks, range.begin, {}, &FootnoteReference::begin);
    return after != marks.begin() && range.end <= std::prev(after)->end;
  });
  for (const FootnoteReference& mark : marks)
    ranges_.push_back({.begin = mark.begin, .end = mark.end, .is_note = true});
  std::ranges::sort(ranges_, [](const Range& a, const Range& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
}

std::string_view FormattedText::take_line() {
  const std::string_view rest = text_.substr(std::min(at_, text_.size()));
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  at_ += end + 1;
  return text::trim_space(rest.substr(0, end));
}

/// The ranges in a line, clipped to the line. Lines must be requested in order, so only ranges that overlap
/// the line are visited.
std::span<const FormattedText::Range> FormattedText::ranges_in(std::size_t begin, std::size_t end) {
  while (next_range_ < ranges_.size() && ranges_[next_range_].begin < end)
    open_.push_back(ranges_[next_range_++]);
  std::erase_if(open_, [begin](const Range& range) { return range.end <= begin; });
  in_line_.clear();
  for (Range range : open_) {
    range.begin = std::max(range.begin, begin);
    range.end = std::min(range.end, end);
    if (range.begin < range.end) in_line_.push_back(range);
  }
  return in_line_;
}

void FormattedText::append(std::string& out, std::string_view line, MarkdownPlace place) {
  const auto begin = static_cast<std::size_t>(line.data() - text_.data());
  const std::size_t end = begin + line.size();
  MarkedLine<Range>(text_.substr(0, end), ranges_in(begin, end)).write(out, begin, end, place);
}

void append_lines(std::string& out, FormattedText text, std::string_view indent) {
  std::string_view before;
  bool after_empty = false;
  while (!text.at_end()) {
    const std::string_view line = text.take_line();
    if (line.empty()) {
      after_empty = !before.empty();
      continue;
    }
    if (!before.empty()) {
      out += after_empty ? "\n" : break_after(before);
      if (after_empty) out.append(text::trim_space(indent)).append("\n");
      out += indent;
    }
    text.append(out, line, MarkdownPlace::block);
    before = line;
    after_empty = false;
  }
}

void append_one_line(std::string& out, FormattedText text, MarkdownPlace place) {
  for (bool first = true; !text.at_end();) {
    const std::string_view line = text.take_line();
    if (line.empty()) continue;
    if (!first) out += ' ';
    text.append(out, line, place);
    first = false;
  }
}

}  // namespace sheaf::markdown
