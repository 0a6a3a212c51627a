#pragma once

#include "sheaf/html/dom.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sheaf::extract {

/// Whether a table has data in rows and columns and does not only serve layout. A layout table has
/// role=presentation, contains another table, is one column wide, or has no header and either a single row or
/// mostly cells that are like pages (headings, code, several paragraphs, long text).
///
/// Stops at the first table inside, so that nested tables do not take quadratic time. Adds the number of
/// visited nodes to `steps`.
bool is_data_table(const html::Document& document, html::NodeId table, std::uint64_t& steps);

/// Arranges the cells of one table in rows and columns. A cell that spans columns fills only the first,
/// because its row has the text then. A short cell that spans rows is repeated, because each row is read
/// separately. Head rows come first and foot rows last, regardless of their order in the page. The number of
/// cells added for spans is limited to a multiple of the real cells; the rows of a table beyond that have
/// their cells without gaps.
class TableGrid {
 public:
  enum class Section : std::uint8_t { head, body, foot };

  void start();
  /// `group` is the element around the row; spans of rows end with it.
  void begin_row(html::NodeId group, Section section);
  struct Content {
    Text text;
    List<Inline> inlines = {};
  };
  void add_cell(const Content& content, std::size_t column_span, std::size_t row_span);
  /// The rows that have text; empty if there are none.
  List<List<Text>> finish(Arena& arena);
  /// The inline ranges of the cells that finish() returned, row by row.
  List<List<Inline>> inlines(Arena& arena) const {
    return arena.copy(std::span<const List<Inline>>(inlines_));
  }

 private:
  struct Cell {
    Content content;
    std::size_t column = 0;
  };
  struct Row {
    std::size_t begin = 0;
    std::size_t end = 0;
    Section section = Section::body;
  };
  /// A cell that continues in the following rows.
  struct Span {
    std::size_t column = 0;
    std::size_t width = 0;
    std::size_t rows = 0;
    Content content;
  };

  void end_row();
  void place_spans(std::size_t up_to);
  [[nodiscard]] std::size_t allowed_filler() const;
  List<Text> lay_out(const Row& row, std::size_t width, Arena& arena);

  std::vector<Cell> cells_;
  std::vector<List<Inline>> inlines_;
  std::vector<Row> rows_;
  std::vector<Span> spans_;      // begun in rows before this one; by column
  std::vector<Span> new_spans_;  // begun in this row; by column
  std::size_t next_span_ = 0;
  std::size_t column_ = 0;
  std::size_t real_cells_ = 0;
  std::size_t filler_ = 0;
  html::NodeId group_ = html::kNoNode;
  bool in_row_ = false;
};

}  // namespace sheaf::extract
