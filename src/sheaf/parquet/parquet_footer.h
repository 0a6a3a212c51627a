#pragma once

#include "sheaf/parquet/column_statistics.h"
#include "sheaf/parquet/parquet_schema.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Everything in a file that is not values: page headers, indexes and the footer, as Parquet's thrift
// definitions (parquet.thrift of the format's repository) lay them out.
namespace sheaf::parquet {

/// Where a page is in the file.
struct FinishedPage {
  std::int64_t offset = 0;
  std::int32_t bytes = 0;  ///< with its header
  std::int64_t first_row = 0;
  ColumnStatistics statistics = {};
};

/// Where something is in the file.
struct FilePart {
  std::int64_t offset = 0;
  std::int32_t bytes = 0;
};

/// A column of a row group that has been written.
struct FinishedColumn {
  std::optional<std::int64_t> dictionary_offset;
  std::int64_t data_offset = 0;
  std::int64_t values = 0;
  std::int64_t plain_bytes = 0;  ///< headers included, as the format asks for
  std::int64_t bytes = 0;
  ColumnStatistics statistics;
  std::vector<FinishedPage> pages;
  FilePart offset_index;
  std::optional<FilePart> column_index;
};

struct FinishedRowGroup {
  std::int64_t rows = 0;
  std::vector<FinishedColumn> columns;
};

/// The metadata of a column in the footer.
struct LeafColumn {
  Column column;
  std::vector<std::string> path;
};

struct FooterFacts {
  const Schema* schema = nullptr;
  std::vector<LeafColumn> leaves;
  std::int64_t rows = 0;
  std::span<const FinishedRowGroup> groups;
  std::span<const std::pair<std::string, std::string>> metadata;
  std::vector<std::size_t> sorted_by;  ///< numbers of columns
};

std::string data_page_header(std::size_t plain_bytes, std::size_t bytes, std::uint64_t values,
                             bool dictionary);
std::string dictionary_page_header(std::size_t plain_bytes, std::size_t bytes, std::uint64_t values);
std::string offset_index(const FinishedColumn& column);
/// Nullopt if a page has no upper bound.
std::optional<std::string> column_index(const FinishedColumn& column, Physical physical);
/// With its length and the magic bytes at the end of the file.
std::string file_footer(const FooterFacts& facts);

/// At the beginning and the end of each file.
inline constexpr std::string_view kMagic = "PAR1";

}  // namespace sheaf::parquet
