#pragma once

#include "sheaf/base/error.h"
#include "sheaf/parquet/parquet_writer.h"
#include <sheaf/page.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::exporting {

/// Columns that a table of pages has only on request.
struct TableColumns {
  bool json = false;  ///< each page as JSON
  bool op = false;    ///< "put" or "delete": the table is of changes
};

/// Where a row's page comes from.
struct PageRow {
  std::string_view site;
  std::string_view section;
  std::string_view url;
  std::string_view source = {};  ///< "collections" or "html"
  std::string_view json = {};
};

/// What a table holds, for a person.
struct TableCounts {
  std::uint64_t rows = 0;
  std::uint64_t removed = 0;  ///< rows that are deletions
  std::uint64_t text_bytes = 0;
  std::uint64_t words = 0;
};

/// Writes pages as rows of Parquet, with the schema of docs/parquet.md.
class PageTable {
 public:
  PageTable(TableColumns columns, parquet::ParquetWriterOptions options, parquet::ByteSink sink);

  base::Result<void> add(const PageRow& row, const Page& page);
  /// A page that is gone.
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
