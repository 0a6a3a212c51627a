#include "sheaf/markdown/page_markdown.h"

#include "sheaf/html/text_value.h"
#include "sheaf/markdown/formatted_text.h"
#include "sheaf/markdown/list_markdown.h"
#include "sheaf/markdown/markdown_escape.h"
#include "sheaf/markdown/page_notes.h"
#include "sheaf/model/plain_text.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace sheaf::markdown {
namespace {

std::uint32_t utf16_size(std::string_view text) {
  const std::size_t end = text.size();
  return model::utf16_offsets(text, std::span(&end, 1)).front();
}

void append_link(std::string& out, Text text, Text url) {
  out += '[';
  append_one_line(out, {text, {}}, MarkdownPlace::link);
  out += "](";
  append_link_destination(out, url);
  out += ")\n";
}

class MarkdownWriter {
 public:
  /// `notes` is the number of footnotes of the page. `has_inlines` is whether the page has inline ranges.
  MarkdownWriter(std::string& out, std::size_t notes, bool has_inlines)
      : out_(out), notes_(notes), has_inlines_(has_inlines) {}

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

  /// Writes the footnotes: the last block of the page, a list.
  void write_notes(const Block& block) {
    const auto& list = std::get<ListBlock>(block.kind);
    block_ = &block;
    notes_ = 0;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      out_.append("\n[^").append(std::to_string(i + 1)).append("]: ");
      append_lines(out_, marked(list.items[i], i), "    ");
      out_ += '\n';
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
    if (!block.items.empty()) append_list(out_, *block_, other_marks_, notes_);
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
    // A table in Markdown must have a header. Header cells are marked by inline ranges. If the first row is
    // not a header, an empty header is written, which is dropped when the text is imported. If the page has
    // no inline ranges, the first row is taken as the header.
    const bool has_header = !has_inlines_ || block.rows.empty() || is_header(block.rows.front());
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
  /// A text of the block with its inline ranges.
  [[nodiscard]] FormattedText marked(Text text, std::size_t index = 0) const {
    return {text, index < block_->inlines.size() ? block_->inlines[index] : List<Inline>(), notes_};
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

  /// Writes a row as the header, without the emphasis of whole cells, which is implied there.
  void append_header(const List<Text>& row, std::size_t width) {
    std::vector<Inline> others;
    for (std::size_t k = 0; k < width; ++k) {
      out_ += "| ";
      others.clear();
      if (k < row.size() && k < block_->inlines.size())
        std::ranges::copy_if(
            block_->inlines[k], std::back_inserter(others),
            [size = utf16_size(row[k])](const Inline& range) { return !marks_all(range, size); });
      if (k < row.size()) append_cell({row[k], std::span<const Inline>(others), notes_});
      out_ += ' ';
    }
    out_ += "|\n";
    for (std::size_t k = 0; k < width; ++k) out_ += "| --- ";
    out_ += "|\n";
  }

  void append_cell(FormattedText cell) {
    for (bool first = true; !cell.at_end();) {
      const std::string_view line = cell.take_line();
      if (line.empty()) continue;
      if (!first) out_ += "<br>";
      cell.append(out_, line, MarkdownPlace::cell);
      first = false;
    }
  }

  /// `first_cell` is the number of cells in the rows before.
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
  std::size_t notes_;
  bool has_inlines_;
  const Block* block_ = nullptr;  // the block that is being written
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
  const std::size_t notes = markdown::count_footnotes(page);
  const bool has_inlines =
      std::ranges::any_of(page.content, [](const Block& block) { return !block.inlines.empty(); });
  markdown::MarkdownWriter writer(out, notes, has_inlines);
  if (!page.title.empty() && !markdown::begins_with_title(page))
    writer.write({HeadingBlock{1, page.title}, {}});
  for (std::size_t i = 0; i + (notes > 0 ? 1 : 0) < page.content.size(); ++i) writer.write(page.content[i]);
  if (notes > 0) writer.write_notes(page.content.back());
  return out;
}

}  // namespace sheaf
