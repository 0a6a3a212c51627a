#include "sheaf/parquet/column_statistics.h"

#include "sheaf/base/code_points.h"

#include <algorithm>

namespace sheaf::parquet {
namespace {

constexpr std::size_t kPrefix = 64;

/// Returns a short upper bound of all texts with this prefix: its last character is incremented, or an
/// earlier one if that is the highest code point. Returns an empty string if there is no bound.
std::string next_text(std::string_view prefix) {
  constexpr char32_t kLast = 0x10FFFF;
  constexpr char32_t kSurrogates = 0xD800;
  constexpr char32_t kAfterSurrogates = 0xE000;
  std::string out(prefix);
  while (!out.empty()) {
    std::size_t start = out.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(out[start]) & 0xC0U) == 0x80U) --start;
    std::string_view last = std::string_view(out).substr(start);
    const char32_t character = base::take_code_point(last);
    out.resize(start);
    if (character >= kLast) continue;
    base::append_utf8(out, character + 1 == kSurrogates ? kAfterSurrogates : character + 1);
    return out;
  }
  return out;
}

}  // namespace

void ColumnStatistics::add_prefix(std::string_view prefix, bool cut) {
  if (!has_values_) {
    low_ = high_ = prefix;
    lower_is_truncated_ = upper_is_truncated_ = cut;
    has_values_ = true;
    return;
  }
  const auto low = prefix <=> std::string_view(low_);
  if (low < 0) low_ = prefix;
  if (low < 0 || (low == 0 && !cut)) lower_is_truncated_ = cut;
  const auto high = prefix <=> std::string_view(high_);
  if (high > 0) high_ = prefix;
  if (high > 0 || (high == 0 && cut)) upper_is_truncated_ = cut;
}

void ColumnStatistics::add_text(std::string_view value) {
  const std::string_view prefix = base::cut_utf8(value, kPrefix);
  add_prefix(prefix, prefix.size() < value.size());
}

void ColumnStatistics::add_number(std::int64_t value) {
  min_ = has_values_ ? std::min(min_, value) : value;
  max_ = has_values_ ? std::max(max_, value) : value;
  has_values_ = true;
}

void ColumnStatistics::add(const ColumnStatistics& other) {
  nulls_ += other.nulls_;
  if (!other.has_values_) return;
  const bool first = !has_values_;
  add_prefix(other.low_, other.lower_is_truncated_);
  add_prefix(other.high_, other.upper_is_truncated_);
  min_ = first ? other.min_ : std::min(min_, other.min_);
  max_ = first ? other.max_ : std::max(max_, other.max_);
}

std::string ColumnStatistics::lower(PhysicalType physical) const {
  return physical == PhysicalType::bytes ? low_ : plain_number(physical, min_);
}

std::string ColumnStatistics::upper(PhysicalType physical) const {
  if (physical != PhysicalType::bytes) return plain_number(physical, max_);
  return upper_is_truncated_ ? next_text(high_) : high_;
}

bool ColumnStatistics::has_upper(PhysicalType physical) const {
  return has_values_ && (physical != PhysicalType::bytes || !upper_is_truncated_ || !upper(physical).empty());
}

bool ColumnStatistics::is_ascending(const ColumnStatistics& page, const ColumnStatistics& next,
                                    PhysicalType physical) {
  if (physical != PhysicalType::bytes) return page.min_ <= next.min_ && page.max_ <= next.max_;
  return page.low_ <= next.low_ && page.upper(physical) <= next.upper(physical);
}

std::string plain_number(PhysicalType physical, std::int64_t value) {
  const unsigned bytes = physical == PhysicalType::int32 ? 4 : 8;
  std::string out;
  for (unsigned i = 0; i < bytes; ++i)
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i)));
  return out;
}

}  // namespace sheaf::parquet
