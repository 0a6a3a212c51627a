#pragma once

#include "sheaf/parquet/parquet_schema.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::parquet {

/// The minimum and maximum of a page or a column, and the number of nulls. Readers use them to skip pages. Of
/// texts, only bounds of at most 64 bytes are kept.
class ColumnStatistics {
 public:
  void add_null() { ++nulls_; }
  void add_text(std::string_view value);
  void add_number(std::int64_t value);
  /// Adds the statistics of a page to those of a column.
  void add(const ColumnStatistics& other);

  [[nodiscard]] std::int64_t nulls() const { return nulls_; }
  [[nodiscard]] bool has_values() const { return has_values_; }
  /// The bounds in plain encoding. Texts of the highest code points may have no short upper bound: upper() is
  /// then empty, and has_upper() is false.
  [[nodiscard]] std::string lower(PhysicalType physical) const;
  [[nodiscard]] std::string upper(PhysicalType physical) const;
  [[nodiscard]] bool has_upper(PhysicalType physical) const;
  [[nodiscard]] bool lower_is_exact() const { return !lower_is_truncated_; }
  [[nodiscard]] bool upper_is_exact() const { return !upper_is_truncated_; }

  /// Whether both bounds of `page` are at most those of `next`: what Parquet calls an ascending boundary
  /// order.
  static bool is_ascending(const ColumnStatistics& page, const ColumnStatistics& next, PhysicalType physical);

 private:
  void add_prefix(std::string_view prefix, bool cut);

  bool has_values_ = false;
  std::int64_t nulls_ = 0;
  std::int64_t min_ = 0;
  std::int64_t max_ = 0;
  std::string low_;
  std::string high_;
  bool lower_is_truncated_ = false;
  bool upper_is_truncated_ = false;
};

/// A number in Parquet's plain encoding: little-endian.
std::string plain_number(PhysicalType physical, std::int64_t value);

}  // namespace sheaf::parquet
