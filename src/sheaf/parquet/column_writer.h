#pragma once

#include "sheaf/parquet/column_statistics.h"
#include "sheaf/parquet/page_compressor.h"
#include "sheaf/parquet/parquet_schema.h"

#include <cstdint>
#include <deque>
#include <future>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sheaf::parquet {

/// A finished page of a column.
struct ColumnPage {
  std::future<std::string> bytes;  ///< compressed
  std::uint64_t plain_bytes = 0;
  std::uint64_t values = 0;  ///< nulls included
  std::uint64_t first_row = 0;
  bool dictionary = false;  ///< the values are indexes into the dictionary
  ColumnStatistics statistics = {};
};

/// Collects the values of one column of a row group and cuts them into pages. A full page goes to the
/// compressor at once, so a row group in memory is mostly compressed.
class ColumnWriter {
 public:
  struct Levels {
    std::uint8_t repetition = 0;  ///< maximum repetition level
    std::uint8_t definition = 0;
  };

  ColumnWriter(Column column, std::vector<std::string> path, Levels levels, PageCompressor& compressor);

  // Add one value with its levels.
  void put(std::uint8_t repetition, std::uint8_t definition, std::string_view value);
  void put(std::uint8_t repetition, std::uint8_t definition, std::int64_t value);
  void put_null(std::uint8_t repetition, std::uint8_t definition);
  /// Must be called after each row. Pages begin at rows, as the page index requires.
  void end_row();

  /// Uncompressed bytes of this row group so far.
  [[nodiscard]] std::uint64_t plain_bytes() const { return chunk_bytes_ + page_bytes_; }

  /// Ends the last page.
  void finish();
  // The contents of the row group, valid after finish().
  [[nodiscard]] std::deque<ColumnPage>& pages() { return pages_; }
  [[nodiscard]] bool has_dictionary() const { return dictionary_used_; }
  /// The dictionary's entries in plain encoding, and their number.
  [[nodiscard]] std::string dictionary_page() const;
  [[nodiscard]] std::size_t dictionary_size() const { return entries_.size(); }
  /// Prepares for the next row group.
  void reset();

  [[nodiscard]] const Column& column() const { return column_; }
  [[nodiscard]] const std::vector<std::string>& path() const { return path_; }

 private:
  void add_level(std::uint8_t repetition, std::uint8_t definition);
  void put_value(std::string_view plain);
  void drop_dictionary();
  void append_plain(std::string& out, std::string_view value) const;
  void end_page();

  Column column_;
  std::vector<std::string> path_;
  Levels levels_;
  PageCompressor* compressor_;

  // The open page.
  std::vector<std::uint8_t> repetitions_;
  std::vector<std::uint8_t> definitions_;
  std::string values_;  ///< in plain encoding
  std::vector<std::uint32_t>
      indexes_;  ///< dictionary indexes; used instead of `values_` while there is a dictionary
  std::uint64_t page_values_ = 0;
  std::uint64_t page_bytes_ = 0;  ///< size of the page with plain values
  std::uint64_t page_row_ = 0;
  ColumnStatistics statistics_;

  // The row group.
  std::deque<ColumnPage> pages_;
  std::uint64_t rows_ = 0;
  std::uint64_t chunk_bytes_ = 0;
  bool with_dictionary_ = false;
  bool dictionary_used_ = false;  ///< a finished page uses the dictionary
  std::deque<std::string> entries_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::size_t dictionary_bytes_ = 0;
};

}  // namespace sheaf::parquet
