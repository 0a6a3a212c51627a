#pragma once

#include "sheaf/base/error.h"
#include "sheaf/parquet/column_writer.h"
#include "sheaf/parquet/parquet_footer.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A writer of Parquet files. Debian does not package Apache Arrow, and its C++ library is larger than all of
// sheaf. We need only a small part of the format: flat columns, one level of lists of structs, zstd pages,
// dictionaries, statistics and the page index.
//
//     ParquetWriter -> ColumnWriter (pages) -> PageCompressor -> [row group] -> sink, footer at the end
//
// Memory: a row group has at most 128 MiB before compression (a larger row is a row group by itself), and its
// finished pages are kept compressed. The file does not depend on the number of threads.
namespace sheaf::parquet {

struct ParquetWriterOptions {
  std::uint64_t row_group_bytes = std::uint64_t{128} << 20U;  ///< before compression
  int level = 5;                                              ///< zstd level
  unsigned threads = 1;  ///< threads that compress; 0: the caller compresses
  /// Key-value metadata in the footer.
  std::vector<std::pair<std::string, std::string>> metadata = {};
  /// Names of the columns by which the rows are sorted, ascending.
  std::vector<std::string> sorted_by = {};
};

/// Receives the file from front to back.
using ByteSink = std::function<base::Result<void>(std::string_view bytes)>;

class ParquetWriter {
 public:
  ParquetWriter(Schema schema, ParquetWriterOptions options, ByteSink sink);
  ~ParquetWriter();
  ParquetWriter(const ParquetWriter&) = delete;
  ParquetWriter& operator=(const ParquetWriter&) = delete;

  /// Begins a row of about `bytes` bytes before compression. Ends the row group first if it would get too
  /// large. Fails with Errc::refused if the row is larger than 1 GiB.
  base::Result<void> begin_row(std::uint64_t bytes);
  // The values of the row: one for each field, identified by its index in the schema. Only optional columns
  // may be null.
  void put(std::size_t field, std::string_view value);
  void put(std::size_t field, std::int64_t value);
  void put_null(std::size_t field);
  /// A list is null or empty, or call add_struct() for each element and then put its members.
  void put_null_list(std::size_t field);
  void put_empty_list(std::size_t field);
  void add_struct(std::size_t field);
  void put_member(std::size_t field, std::size_t member, std::string_view value);
  void put_member(std::size_t field, std::size_t member, std::int64_t value);
  void put_null_member(std::size_t field, std::size_t member);
  void end_row();

  /// Writes the last row group, the page index and the footer.
  base::Result<void> finish();

  [[nodiscard]] std::uint64_t rows() const { return rows_ + group_rows_; }
  /// Estimates the size of the file if it ended here, from the row groups written so far. The same rows give
  /// the same estimate.
  [[nodiscard]] std::uint64_t estimated_size() const;
  /// Bytes written.
  [[nodiscard]] std::uint64_t size() const { return offset_; }

 private:
  struct FieldColumns {
    std::size_t first = 0;  ///< index of its first column
    std::uint8_t next_repetition = kNewRow;
    bool in_row = false;  ///< the list has an element in this row
  };

  [[nodiscard]] std::uint64_t group_bytes() const;
  ColumnWriter& leaf(std::size_t field, std::size_t member = 0) {
    return columns_[fields_[field].first + member];
  }
  base::Result<void> write(std::string_view bytes);
  base::Result<void> end_row_group();
  base::Result<void> write_column(ColumnWriter& column, FinishedColumn& out);
  base::Result<void> write_dictionary(ColumnWriter& column, FinishedColumn& out);
  base::Result<void> write_page(ColumnPage& page, FinishedColumn& out);
  base::Result<void> write_indexes();
  Schema schema_;
  ParquetWriterOptions options_;
  ByteSink sink_;
  PageCompressor compressor_;
  std::deque<ColumnWriter> columns_;  ///< a deque, so that references remain valid
  std::vector<FieldColumns> fields_;
  std::vector<FinishedRowGroup> groups_;
  std::uint64_t offset_ = 0;
  std::uint64_t rows_ = 0;        ///< rows of finished row groups
  std::uint64_t group_rows_ = 0;  ///< rows of the open row group
  std::uint64_t plain_written_ = 0;
};

}  // namespace sheaf::parquet
