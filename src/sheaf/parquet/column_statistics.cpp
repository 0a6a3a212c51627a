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
    low_cut_ = high_cut_ = cut;
    has_values_ = true;
    return;
  }
  const auto low = prefix <=> std::string_view(low_);
  if (low < 0) low_ = prefix;
  if (low < 0 || (low == 0 && !cut)) low_cut_ = cut;
  const auto high = prefix <=> std::string_view(high_);
  if (high > 0) high_ = prefix;
  if (high > 0 || (high == 0 && cut)) high_cut_ = cut;
}

void ColumnStatistics::add_text(std::string_view value) {
  const std::string_view prefix = base::cut_utf8(value, kPrefix);
  add_prefix(prefix, prefix.size() < value.size());
}

void ColumnStatistics::add_number(std::int64_t value) {
  least_ = has_values_ ? std::min(least_, value) : value;
  greatest_ = has_values_ ? std::max(greatest_, value) : value;
  has_values_ = true;
}

void ColumnStatistics::add(const ColumnStatistics& other) {
  nulls_ += other.nulls_;
  if (!other.has_values_) return;
  const bool first = !has_values_;
  add_prefix(other.low_, other.low_cut_);
  add_prefix(other.high_, other.high_cut_);
  least_ = first ? other.least_ : std::min(least_, other.least_);
  greatest_ = first ? other.greatest_ : std::max(greatest_, other.greatest_);
}

std::string ColumnStatistics::lower(Physical physical) const {
  return physical == Physical::bytes ? low_ : plain_number(physical, least_);
}

std::string ColumnStatistics::upper(Physical physical) const {
  if (physical != Physical::bytes) return plain_number(physical, greatest_);
  return high_cut_ ? next_text(high_) : high_;
}

bool ColumnStatistics::has_upper(Physical physical) const {
  return has_values_ && (physical != Physical::bytes || !high_cut_ || !upper(physical).empty());
}

bool ColumnStatistics::is_ascending(const ColumnStatistics& page, const ColumnStatistics& next,
                                    Physical physical) {
  if (physical != Physical::bytes) return page.least_ <= next.least_ && page.greatest_ <= next.greatest_;
  return page.low_ <= next.low_ && page.upper(physical) <= next.upper(physical);
}

std::string plain_number(Physical physical, std::int64_t value) {
  const unsigned bytes = physical == Physical::int32 ? 4 : 8;
  std::string out;
  for (unsigned i = 0; i < bytes; ++i)
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i)));
  return out;
}

}  // namespace sheaf::parquet
