#pragma once

#include "sheaf/html/dom.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sheaf::extract {

/// Whether a table's rows and columns mean something. Layout tables, which only place things on the page, say
/// so (role=presentation), hold another table, are one cell wide, or have no header and either a single row
/// or mostly cells that are pages of their own (headings, code, several paragraphs, long text).
///
/// The walk ends at a table inside, so that tables in tables are looked at once each. `steps` counts the
/// nodes.
bool is_data_table(const html::Document& document, html::NodeId table, std::uint64_t& steps);

/// Lays the cells of one table out in rows and columns. A cell that spans columns leaves the further ones
/// empty, because its row has the text already; one that spans rows is repeated, because each row is read on
/// its own. Head rows come first and foot rows last, wherever the page has them. Cells made up for spans are
/// bounded by a multiple of the real ones; a table that asks for more gets its cells in a row, without gaps.
class TableGrid {
 public:
  enum class Section : std::uint8_t { head, body, foot };

  void start();
  /// `group` is the element the row is in: a span ends with it.
  void begin_row(html::NodeId group, Section section);
  struct Content {
    Text text;
    List<Inline> inlines = {};
  };
  void add_cell(const Content& content, std::size_t column_span, std::size_t row_span);
  /// Without rows that say nothing; empty if none is left.
  List<List<Text>> finish(Arena& arena);
  /// The ranges of the cells that finish gave, row after row.
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
  /// A cell that reaches into the rows to come.
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
  std::vector<Span> spans_;      // of rows before this one, by column
  std::vector<Span> new_spans_;  // of this row, by column
  std::size_t next_span_ = 0;
  std::size_t column_ = 0;
  std::size_t real_cells_ = 0;
  std::size_t filler_ = 0;
  html::NodeId group_ = html::kNoNode;
  bool in_row_ = false;
};

}  // namespace sheaf::extract
