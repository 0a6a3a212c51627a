#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::parquet {

/// How the values of a column are stored. The numbers are Parquet's.
enum class PhysicalType : std::uint8_t { int32 = 1, int64 = 2, bytes = 6 };

/// The logical type of the values.
enum class LogicalType : std::uint8_t {
  number,
  text,       ///< UTF-8
  json,       ///< UTF-8 that is JSON
  timestamp,  ///< microseconds since 1970 in UTC
};

/// Whether to try a dictionary of the distinct values. It is dropped if it does not save space. For values
/// that rarely repeat, such as the texts of pages, trying it is a waste of time.
enum class DictionaryEncoding : std::uint8_t { try_it, never };

/// A column of values.
struct Column {
  std::string name;
  PhysicalType physical = PhysicalType::bytes;
  LogicalType meaning = LogicalType::text;
  bool optional = false;  ///< may be null
  DictionaryEncoding dictionary = DictionaryEncoding::try_it;
};

/// A field of a row: one column or, if it has members, a list of structs. The list may be null.
struct TableField {
  Column column;
  std::vector<Column> members = {};

  [[nodiscard]] bool is_list() const { return !members.empty(); }
};

/// The schema of a row.
struct Schema {
  std::string name;
  std::vector<TableField> fields;
};

// Definition levels of a list's leaf columns: how much of the path to a value is defined.
inline constexpr std::uint8_t kNullList = 0;
inline constexpr std::uint8_t kEmptyList = 1;
inline constexpr std::uint8_t kNullMember = 2;  ///< the struct exists, but its optional member is null
/// Repetition levels: whether a value begins a new row or continues the list of the same row.
inline constexpr std::uint8_t kNewRow = 0;
inline constexpr std::uint8_t kSameRow = 1;

}  // namespace sheaf::parquet
