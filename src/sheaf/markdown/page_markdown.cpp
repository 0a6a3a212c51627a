#include "sheaf/markdown/page_markdown.h"

#include "sheaf/base/ascii.h"
#include "sheaf/html/text_value.h"
#include "sheaf/markdown/markdown_escape.h"
#include "sheaf/markdown/marked_text.h"
#include "sheaf/model/text_offsets.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace sheaf::markdown {
namespace {

std::uint32_t utf16_size(std::string_view text) {
  const std::size_t end = text.size();
  return model::utf16_places(text, std::span(&end, 1)).front();
}

/// A backslash as a line break would become part of a URL at the end of the line, so two spaces are used.
std::string_view break_after(std::string_view line) {
  const std::size_t space = line.find_last_of(" \t");
  const std::string_view word = line.substr(space == std::string_view::npos ? 0 : space + 1);
  const bool address =
      word.find("://") != std::string_view::npos || base::lower_text(word).find("www.") != std::string::npos;
  return address ? "  \n" : "\\\n";
}

/// Lines separated by line breaks, each indented by `indent` except the first. An empty line separates
/// paragraphs.
void append_lines(std::string& out, MarkedText text, std::string_view indent) {
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

/// The text in one line, as headings and link texts require.
void append_one_line(std::string& out, MarkedText text, MarkdownPlace place) {
  for (bool first = true; !text.at_end();) {
    const std::string_view line = text.take_line();
    if (line.empty()) continue;
    if (!first) out += ' ';
    text.append(out, line, place);
    first = false;
  }
}

void append_link(std::string& out, Text text, Text url) {
  out += '[';
  append_one_line(out, {text, {}}, MarkdownPlace::link);
  out += "](";
  append_markdown_address(out, url);
  out += ")\n";
}

/// One entry of a list block: its depth, its marker if it has one, its text. Nested entries contain these in
/// their text, as "    2. text".
struct Item {
  std::size_t depth = 0;
  bool has_marker = true;
  std::optional<std::int32_t> number;  ///< of an ordered marker
  std::string_view text;
  std::size_t index = 0;  ///< of the entry in its block
};

Item read_item(Text text) {
  Item item;
  std::size_t spaces = 0;
  while (spaces < text.size() && text[spaces] == ' ') ++spaces;
  item.depth = spaces / 2;
  item.text = text.substr(spaces);
  if (item.depth == 0) return item;
  if (item.text.starts_with("- ")) {
    item.text.remove_prefix(2);
    return item;
  }
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(item.text.data(), item.text.data() + item.text.size(), number);
  const std::string_view after = item.text.substr(static_cast<std::size_t>(end - item.text.data()));
  // CommonMark knows numbers of up to nine digits and no negative ones.
  if (error == std::errc() && number >= 0 && number <= 999'999'999 && after.starts_with(". ")) {
    item.number = number;
    item.text = after.substr(2);
    return item;
  }
  item.has_marker = false;
  return item;
}

/// Writes the entries of a list block as nested lists.
class ListWriter {
 public:
  /// `other_marks`: for a list right after another one, which it would continue if it had the same markers.
  ListWriter(std::string& out, const Block& block, bool other_marks)
      : out_(out),
        list_(std::get<ListBlock>(block.kind)),
        inlines_(block.inlines),
        other_marks_(other_marks) {}

  void write() {
    for (std::size_t i = 0; i < list_.items.size(); ++i) {
      Item item = read_item(list_.items[i]);
      item.index = i;
      if (item.has_marker) {
        add_item(item);
      } else {
        add_continuation(item);
      }
    }
  }

 private:
  struct Level {
    bool ordered = false;
    bool other_mark = false;
    bool fresh = true;        // its next item begins a list
    std::int64_t number = 0;  // of the last item
    std::size_t indent = 0;   // of its marker
    std::size_t inside = 0;   // of its text
  };

  void add_item(const Item& item) {
    const std::size_t depth = item.depth;
    const bool continues = depth < levels_.size();
    levels_.resize(std::min(levels_.size(), depth + 1));
    // A list that begins with a nested entry: the entries around it are empty.
    bool same_line = false;
    while (levels_.size() < depth) {
      open_level(false, 1);
      same_line = write_marker(same_line);
    }
    const bool ordered = depth == 0 ? list_.ordered && !starts_deep() : item.number.has_value();
    if (continues) {
      next_item(ordered, item.number);
    } else {
      open_level(ordered, item.number.value_or(depth == 0 ? first_number() : 1));
    }
    write_marker(same_line);
    append_lines(out_, marked(item), std::string(levels_.back().inside, ' '));
    out_ += '\n';
  }

  /// More text of the parent entry, after its nested list.
  void add_continuation(const Item& item) {
    const std::size_t depth = std::min(item.depth, levels_.size());
    if (depth == 0) return add_item({0, true, std::nullopt, item.text, item.index});
    const bool after_list = levels_.size() > depth;
    levels_.resize(depth);
    const std::string indent(levels_.back().inside, ' ');
    // Without a list before it, it would be text of the entry itself, so an empty entry separates them.
    if (!after_list) out_.append("\n").append(indent).append("-\n");
    out_.append("\n").append(indent);
    append_lines(out_, marked(item), indent);
    out_ += '\n';
  }

  /// CommonMark knows numbers of up to nine digits and no negative ones.
  [[nodiscard]] std::int32_t first_number() const {
    return list_.start >= 0 && list_.start <= 999'999'999 ? static_cast<std::int32_t>(list_.start) : 1;
  }

  [[nodiscard]] MarkedText marked(const Item& item) const {
    const Text whole = list_.items[item.index];
    MarkedText text(whole, item.index < inlines_.size() ? inlines_[item.index] : List<Inline>());
    text.skip(static_cast<std::size_t>(item.text.data() - whole.data()));
    return text;
  }

  /// Whether the first entry is a nested one: then its marker determined `ordered`.
  [[nodiscard]] bool starts_deep() const { return read_item(list_.items.front()).depth > 0; }

  void open_level(bool ordered, std::int64_t number) {
    Level level;
    level.ordered = ordered;
    level.other_mark = levels_.empty() && other_marks_;
    level.number = number;
    level.indent = levels_.empty() ? 0 : levels_.back().inside;
    levels_.push_back(level);
  }

  void next_item(bool ordered, std::optional<std::int32_t> number) {
    Level& level = levels_.back();
    const std::int64_t following = level.number + 1;
    // Another kind, or a number out of order, begins a new list, which needs another marker.
    if (ordered == level.ordered && number && *number != following) {
      level.other_mark = !level.other_mark;
      level.fresh = true;
    }
    level.ordered = ordered;
    level.number = number.value_or(following);
  }

  bool write_marker(bool same_line) {
    Level& level = levels_.back();
    const std::string marker = level.ordered ? std::to_string(level.number) + (level.other_mark ? ") " : ". ")
                                             : (level.other_mark ? "* " : "- ");
    // Inside an entry's text only the number 1 begins a list; after an empty line any number does.
    if (!same_line && level.ordered && level.number != 1 && level.fresh && levels_.size() > 1) out_ += '\n';
    level.fresh = false;
    if (!same_line) out_.append(level.indent, ' ');
    out_ += marker;
    level.inside = level.indent + marker.size();
    return true;
  }

  std::string& out_;
  const ListBlock& list_;
  List<List<Inline>> inlines_;
  bool other_marks_;
  std::vector<Level> levels_;
};

class MarkdownWriter {
 public:
  explicit MarkdownWriter(std::string& out) : out_(out) {}

  void write(const Block& block) {
    const std::size_t before = out_.size();
    if (before > 0) out_ += '\n';
    const std::size_t start = out_.size();
    const bool after_list = last_was_list_;
    other_marks_ = after_list && !other_marks_;
    last_was_list_ = std::holds_alternative<ListBlock>(block.kind);
    block_ = &block;
    std::visit(*this, block.kind);
    if (out_.size() == start) {
      out_.resize(before);
      last_was_list_ = after_list;
    }
  }

  void operator()(const TextBlock& block) {
    append_lines(out_, marked(block.text), "");
    out_ += '\n';
  }
  void operator()(const HeadingBlock& block) {
    out_.append(static_cast<std::size_t>(std::clamp(block.level, 1, 6)), '#').append(" ");
    append_one_line(out_, marked(block.text), MarkdownPlace::heading);
    out_ += '\n';
  }
  void operator()(const LinkBlock& block) { append_link(out_, block.text, block.url); }
  void operator()(const ImageBlock& block) {
    out_ += '!';
    append_link(out_, block.alt, block.url);
  }
  void operator()(const ListBlock& block) {
    if (!block.items.empty()) ListWriter(out_, *block_, other_marks_).write();
  }
  void operator()(const CodeBlock& block) {
    std::size_t fence = 3;
    std::size_t run = 0;
    for (const char c : block.code) {
      run = c == '`' ? run + 1 : 0;
      fence = std::max(fence, run + 1);
    }
    out_.append(fence, '`');
    for (const char c : block.language.value_or(""))
      if (!text::is_space(c) && c != '`') out_ += c;
    out_.append("\n").append(block.code);
    if (!block.code.ends_with('\n')) out_ += '\n';
    out_.append(fence, '`').append("\n");
  }
  void operator()(const TableBlock& block) {
    std::size_t width = 0;
    for (const auto& row : block.rows) width = std::max(width, row.size());
    // Markdown has no table without a header. An empty one is dropped when the text is imported.
    const bool has_header = block_->inlines.empty() || block.rows.empty() || is_header(block.rows.front());
    if (!has_header) append_header({}, width);
    std::size_t cell = 0;
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      if (i == 0 && has_header) {
        append_header(block.rows[i], width);
      } else {
        append_row(block.rows[i], block.rows[i].size(), cell);
      }
      cell += block.rows[i].size();
    }
  }
  void operator()(const QuoteBlock& block) {
    out_ += "> ";
    append_lines(out_, marked(block.text), "> ");
    if (block.citation) {
      out_ += "\n>\n> \u2014 <cite>";
      append_one_line(out_, {*block.citation, {}}, MarkdownPlace::link);
      out_ += "</cite>";
    }
    out_ += '\n';
  }
  void operator()(const VideoBlock& block) { append_media(*block.media); }
  void operator()(const AudioBlock& block) { append_media(*block.media); }
  // Structured data is not readable text.
  void operator()(const StructuredBlock&) {}
  void operator()(const UnknownBlock&) {}

 private:
  /// One of the texts of the block, with its ranges.
  [[nodiscard]] MarkedText marked(Text text, std::size_t index = 0) const {
    return {text, index < block_->inlines.size() ? block_->inlines[index] : List<Inline>()};
  }

  /// Whether every cell with text in the first row is strong, which marks a header row.
  [[nodiscard]] bool is_header(const List<Text>& row) const {
    for (std::size_t k = 0; k < row.size(); ++k)
      if (!row[k].empty() && !is_all_strong(row[k], k)) return false;
    return true;
  }

  [[nodiscard]] bool is_all_strong(Text text, std::size_t cell) const {
    const std::uint32_t size = utf16_size(text);
    return cell < block_->inlines.size() &&
           std::ranges::any_of(
               block_->inlines[cell], [size](const Inline& range) { return marks_all(range, size); });
  }

  static bool marks_all(const Inline& range, std::uint32_t size) {
    return range.kind == InlineKind::strong && range.from == 0 && range.to == size;
  }

  /// Writes the first row as the header, where cells need no emphasis.
  void append_header(const List<Text>& row, std::size_t width) {
    std::vector<Inline> others;
    for (std::size_t k = 0; k < width; ++k) {
      out_ += "| ";
      others.clear();
      if (k < row.size() && k < block_->inlines.size())
        std::ranges::copy_if(
            block_->inlines[k], std::back_inserter(others),
            [size = utf16_size(row[k])](const Inline& range) { return !marks_all(range, size); });
      if (k < row.size()) append_cell({row[k], std::span<const Inline>(others)});
      out_ += ' ';
    }
    out_ += "|\n";
    for (std::size_t k = 0; k < width; ++k) out_ += "| --- ";
    out_ += "|\n";
  }

  void append_cell(MarkedText cell) {
    for (bool first = true; !cell.at_end();) {
      const std::string_view line = cell.take_line();
      if (line.empty()) continue;
      if (!first) out_ += "<br>";
      cell.append(out_, line, MarkdownPlace::cell);
      first = false;
    }
  }

  /// `first_cell`: number of cells in the rows before.
  void append_row(const List<Text>& row, std::size_t width, std::size_t first_cell) {
    for (std::size_t k = 0; k < width; ++k) {
      out_ += "| ";
      if (k < row.size()) append_cell(marked(row[k], first_cell + k));
      out_ += ' ';
    }
    out_ += "|\n";
  }

  void append_media(const Media& media) {
    const auto* links = std::get_if<List<MediaLink>>(&media.url);
    if (links == nullptr) return append_link(out_, media.name, std::get<Text>(media.url));
    if (!links->empty()) append_link(out_, media.name, links->front().href);
  }

  std::string& out_;
  const Block* block_ = nullptr;  // that is being written
  bool last_was_list_ = false;
  bool other_marks_ = false;
};

bool begins_with_title(const Page& page) {
  if (page.content.empty()) return false;
  const auto* heading = std::get_if<HeadingBlock>(&page.content.front().kind);
  return heading != nullptr && html::same_words(heading->text, page.title);
}

}  // namespace

}  // namespace sheaf::markdown

namespace sheaf {

std::string page_markdown(const Page& page) {
  std::string out;
  markdown::MarkdownWriter writer(out);
  if (!page.title.empty() && !markdown::begins_with_title(page))
    writer.write({HeadingBlock{1, page.title}, {}});
  for (const Block& block : page.content) writer.write(block);
  return out;
}

}  // namespace sheaf
