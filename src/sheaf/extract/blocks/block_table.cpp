#include "sheaf/extract/blocks/block_table.h"

#include "sheaf/extract/blocks/block_text.h"
#include "sheaf/html/dom.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

constexpr std::size_t kLongCell = 1000;       // characters; a screenful of text is not a table cell
constexpr std::size_t kMaxColumnSpan = 1000;  // both limits are those of the HTML standard
constexpr std::size_t kMaxRowSpan = 65534;
constexpr std::size_t kFillerPerCell = 8;
constexpr std::size_t kFillerAlways = 64;
constexpr std::size_t kMaxRepeatLength = 200;  // bytes; labels of several rows are short

/// Gathers facts about what a table contains.
class TableShape {
 public:
  /// Returns false if no further node can change the answer.
  bool look_at(const html::Document& document, html::NodeId node);
  [[nodiscard]] bool is_data();

 private:
  void end_cell();

  bool nested_ = false;
  bool headers_ = false;
  std::size_t rows_ = 0;
  std::size_t row_cells_ = 0;
  std::size_t columns_ = 0;
  std::size_t filled_cells_ = 0;
  std::size_t page_like_cells_ = 0;
  // Of the current cell:
  bool structure_ = false;
  std::size_t paragraphs_ = 0;
  std::size_t text_ = 0;
};

bool TableShape::look_at(const html::Document& document, html::NodeId node) {
  if (headers_ && columns_ > 1) {  // a data table, even if its cells are long, unless it has a table inside
    nested_ = document.name(node) == html::Name::table;
    return !nested_;
  }
  if (document.kind(node) == html::NodeKind::text) {
    const std::string_view text = document.text(node);
    text_ += text::scan::trim(document.padded(text)).size();
    return true;
  }
  if (!document.is_element(node)) return true;
  using enum html::Name;
  switch (document.name(node)) {
    case table: nested_ = true; return false;
    case caption:
    case thead: headers_ = true; break;
    case tr: row_cells_ = 0; break;
    case th: headers_ = true; [[fallthrough]];
    case td:
      end_cell();
      if (++row_cells_ == 1) ++rows_;
      columns_ = std::max(columns_, row_cells_);
      break;
    case h1:
    case h2:
    case h3:
    case h4:
    case h5:
    case h6:
    case pre:
    case blockquote:
    case figure:
    case iframe:
    case video:
    case form:
    case hr: structure_ = true; break;
    case p:
    case ul:
    case ol:
    case dl: ++paragraphs_; break;
    default: break;
  }
  return true;
}

void TableShape::end_cell() {
  const bool page_like = structure_ || paragraphs_ > 2 || text_ > kLongCell;
  if (page_like) ++page_like_cells_;
  if (page_like || text_ > 0) ++filled_cells_;
  structure_ = false;
  paragraphs_ = 0;
  text_ = 0;
}

bool TableShape::is_data() {
  end_cell();
  if (nested_ || columns_ < 2) return false;
  return headers_ || (rows_ > 1 && page_like_cells_ * 2 < filled_cells_);
}

}  // namespace

bool is_data_table(const html::Document& document, html::NodeId table, std::uint64_t& steps) {
  const std::string_view role = document.attribute(table, html::Name::role).value_or("");
  if (role == "presentation" || role == "none") return false;
  // Code beside its line numbers, below its file's name.
  if (html::has_class(document, table, "highlighttable")) return false;
  TableShape shape;
  for (const html::NodeId node : html::Descendants(document, table)) {
    ++steps;
    if (!shape.look_at(document, node)) break;
  }
  return shape.is_data();
}

void TableGrid::start() {
  cells_.clear();
  rows_.clear();
  spans_.clear();
  new_spans_.clear();
  real_cells_ = 0;
  filler_ = 0;
  group_ = html::kNoNode;
  in_row_ = false;
}

std::size_t TableGrid::allowed_filler() const { return real_cells_ * kFillerPerCell + kFillerAlways; }

void TableGrid::begin_row(html::NodeId group, Section section) {
  end_row();
  if (group != group_) spans_.clear();
  group_ = group;
  rows_.push_back({cells_.size(), cells_.size(), section});
  next_span_ = 0;
  column_ = 0;
  in_row_ = true;
}

/// Adds the cells of earlier rows that continue in this row, up to a column.
void TableGrid::place_spans(std::size_t up_to) {
  for (; next_span_ < spans_.size() && spans_[next_span_].column <= std::max(up_to, column_); ++next_span_) {
    const Span& span = spans_[next_span_];
    if (++filler_ > allowed_filler()) continue;
    cells_.push_back({span.content, std::max(span.column, column_)});
    column_ = std::max(column_, span.column + span.width);
  }
}

void TableGrid::add_cell(const Content& content, std::size_t column_span, std::size_t row_span) {
  if (!in_row_) return;
  ++real_cells_;
  place_spans(column_);
  column_span = std::clamp<std::size_t>(column_span, 1, kMaxColumnSpan);
  cells_.push_back({content, column_});
  if (row_span > 1 || row_span == 0) {
    const std::size_t rows = row_span == 0 ? kMaxRowSpan : std::min(row_span, kMaxRowSpan);
    const Content repeated = content.text.size() <= kMaxRepeatLength ? content : Content();
    new_spans_.push_back({column_, column_span, rows, repeated});
  }
  column_ += column_span;
}

void TableGrid::end_row() {
  if (!in_row_) return;
  in_row_ = false;
  place_spans(static_cast<std::size_t>(-1));
  rows_.back().end = cells_.size();
  if (filler_ > allowed_filler()) spans_.clear();
  for (Span& span : spans_) --span.rows;
  for (Span& span : new_spans_) --span.rows;
  std::erase_if(spans_, [](const Span& span) { return span.rows == 0; });
  const auto middle = static_cast<std::ptrdiff_t>(spans_.size());
  spans_.insert(spans_.end(), new_spans_.begin(), new_spans_.end());
  std::inplace_merge(spans_.begin(), spans_.begin() + middle, spans_.end(),
                     [](const Span& a, const Span& b) { return a.column < b.column; });
  new_spans_.clear();
}

List<Text> TableGrid::lay_out(const Row& row, std::size_t width, Arena& arena) {
  const std::size_t count = row.end - row.begin;
  const std::span<Text> texts = arena.array<Text>(std::max(width, count));
  for (Text& text : texts) text = "";
  const std::size_t first = inlines_.size();
  inlines_.resize(first + texts.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Cell& cell = cells_[row.begin + i];
    const std::size_t column = width == 0 ? i : cell.column;
    texts[column] = cell.content.text;
    inlines_[first + column] = cell.content.inlines;
  }
  return std::span<const Text>(texts);
}

List<List<Text>> TableGrid::finish(Arena& arena) {
  end_row();
  inlines_.clear();
  std::erase_if(rows_, [this](const Row& row) {
    return std::all_of(cells_.begin() + static_cast<std::ptrdiff_t>(row.begin),
                       cells_.begin() + static_cast<std::ptrdiff_t>(row.end),
                       [](const Cell& cell) { return cell.content.text.empty(); });
  });
  std::ranges::stable_sort(rows_, {}, &Row::section);
  std::size_t width = 0;
  std::size_t count = 0;
  for (const Row& row : rows_) {
    width = std::max(width, cells_[row.end - 1].column + 1);
    count += row.end - row.begin;
  }
  // A division, because rows * width could overflow for tables far beyond the limit.
  const bool gaps = rows_.empty() || width <= (count + allowed_filler()) / rows_.size();
  const std::span<List<Text>> result = arena.array<List<Text>>(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) result[i] = lay_out(rows_[i], gaps ? width : 0, arena);
  return std::span<const List<Text>>(result);
}

}  // namespace sheaf::extract
