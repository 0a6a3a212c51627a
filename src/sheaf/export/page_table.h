#pragma once

#include "sheaf/base/error.h"
#include "sheaf/parquet/parquet_writer.h"
#include <sheaf/page.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::exporting {

/// Optional columns of a table of pages.
struct TableColumns {
  bool json = false;  ///< each page as JSON
  bool op = false;    ///< "put" or "delete", for a table of changes
};

/// Identifies a row's page and its origin.
struct PageRow {
  std::string_view site;
  std::string_view section;
  std::string_view url;
  std::string_view source = {};  ///< "collections" or "html"
  std::string_view json = {};
};

/// Totals of a table, for reports.
struct TableCounts {
  std::uint64_t rows = 0;
  std::uint64_t removed = 0;  ///< rows with op "delete"
  std::uint64_t text_bytes = 0;
  std::uint64_t words = 0;
};

/// Writes pages as rows of Parquet, with the schema in docs/parquet.md.
class PageTable {
 public:
  PageTable(TableColumns columns, parquet::ParquetWriterOptions options, parquet::ByteSink sink);

  base::Result<void> add(const PageRow& row, const Page& page);
  /// Adds a row for a page that was removed.
  base::Result<void> add_removed(const PageRow& row);
  base::Result<void> finish() { return writer_.finish(); }

  [[nodiscard]] const TableCounts& counts() const { return counts_; }
  [[nodiscard]] const parquet::ParquetWriter& writer() const { return writer_; }

  static parquet::Schema schema(TableColumns columns);

 private:
  void put_time(std::size_t field, std::string_view time);
  void put_blocks(const Page& page);
  void put_block(const Block& block);

  TableColumns columns_;
  parquet::ParquetWriter writer_;
  std::string text_;
  TableCounts counts_;
};

}  // namespace sheaf::exporting
