#pragma once

#include "sheaf/parquet/parquet_schema.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::parquet {

/// The minimum and maximum of a page or a column, and the number of nulls. Of texts the first 64
/// bytes are kept, as bounds: a reader uses them to skip pages.
class ColumnStatistics {
 public:
  void add_null() { ++nulls_; }
  void add_text(std::string_view value);
  void add_number(std::int64_t value);
  /// Adds the statistics of a page to those of a column.
  void add(const ColumnStatistics& other);

  [[nodiscard]] std::int64_t nulls() const { return nulls_; }
  [[nodiscard]] bool has_values() const { return has_values_; }
  /// In plain encoding. An upper bound can be missing for texts of the highest characters: then it is empty
  /// and has_upper() false.
  [[nodiscard]] std::string lower(Physical physical) const;
  [[nodiscard]] std::string upper(Physical physical) const;
  [[nodiscard]] bool has_upper(Physical physical) const;
  [[nodiscard]] bool lower_is_exact() const { return !low_cut_; }
  [[nodiscard]] bool upper_is_exact() const { return !high_cut_; }

  /// Whether all of a page's values are at or below those of the next, by their bounds.
  static bool is_ascending(const ColumnStatistics& page, const ColumnStatistics& next, Physical physical);

 private:
  void add_prefix(std::string_view prefix, bool cut);

  bool has_values_ = false;
  std::int64_t nulls_ = 0;
  std::int64_t least_ = 0;
  std::int64_t greatest_ = 0;
  std::string low_;
  std::string high_;
  bool low_cut_ = false;
  bool high_cut_ = false;
};

/// A value in plain encoding: little-endian.
std::string plain_number(Physical physical, std::int64_t value);

}  // namespace sheaf::parquet
