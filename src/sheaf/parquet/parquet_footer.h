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

// Everything in a file except the values: page headers, indexes and the footer. Their layout is defined in
// parquet.thrift, in the repository of the format.
namespace sheaf::parquet {

/// The location of a page in the file.
struct FinishedPage {
  std::int64_t offset = 0;
  std::int32_t bytes = 0;  ///< including its header
  std::int64_t first_row = 0;
  ColumnStatistics statistics = {};
};

/// The location of an index in the file.
struct FilePart {
  std::int64_t offset = 0;
  std::int32_t bytes = 0;
};

/// A column of a row group that has been written.
struct FinishedColumn {
  std::optional<std::int64_t> dictionary_offset;
  std::int64_t data_offset = 0;
  std::int64_t values = 0;
  std::int64_t plain_bytes = 0;  ///< uncompressed, including headers, as the format requires
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

/// A leaf column of the schema, and its path.
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
  std::vector<std::size_t> sorted_by;  ///< indexes of columns
};

std::string data_page_header(std::size_t plain_bytes, std::size_t bytes, std::uint64_t values,
                             bool dictionary);
std::string dictionary_page_header(std::size_t plain_bytes, std::size_t bytes, std::uint64_t values);
std::string offset_index(const FinishedColumn& column);
/// Returns nullopt if a page has no upper bound.
std::optional<std::string> column_index(const FinishedColumn& column, PhysicalType physical);
/// Returns the footer, followed by its length and the magic bytes that end the file.
std::string file_footer(const FooterFacts& facts);

/// The magic bytes at the beginning and the end of a file.
inline constexpr std::string_view kMagic = "PAR1";

}  // namespace sheaf::parquet
