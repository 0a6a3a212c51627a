#pragma once

#include "sheaf/parquet/column_writer.h"

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

/// Writes structs in Thrift's compact protocol, which Parquet uses for page headers, indexes and the footer.
/// Supports only what Parquet needs: structs, lists, strings, integers and booleans. Fields must be written
/// in the order of their ids.
class ThriftWriter {
 public:
  enum class Type : std::uint8_t {
    boolean = 2,
    i16 = 4,
    i32 = 5,
    i64 = 6,
    binary = 8,
    list = 9,
    structure = 12
  };

  /// Appends to `out`, which must outlive the writer.
  explicit ThriftWriter(std::string& out) : out_(&out) {}

  void boolean(int id, bool value);
  void i16(int id, std::int16_t value);
  void i32(int id, std::int32_t value);
  void i64(int id, std::int64_t value);
  void binary(int id, std::string_view value);

  /// Begins a field that is a struct. Write its fields, then call end_struct().
  void begin_struct(int id);
  /// Begins a struct without a field id: the outermost one, or an element of a list.
  void begin_struct();
  void end_struct();
  /// Writes a struct without fields, as Parquet's unions contain them.
  void empty_struct(int id);

  /// Begins a field that is a list. Write its elements next.
  void begin_list(int id, Type element, std::size_t size);
  void element_boolean(bool value);
  void element_i32(std::int32_t value);
  void element_i64(std::int64_t value);
  void element_binary(std::string_view value);

 private:
  void field(int id, std::uint8_t type);
  void varint(std::uint64_t value);
  void zigzag(std::int64_t value);

  std::string* out_;
  std::vector<int> last_ids_;  ///< last field id of each open struct
};

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
