#pragma once

#include "sheaf/base/error.h"
#include "sheaf/quality/quality_report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The records of the lists that the quality report keeps on disk.
namespace sheaf::quality {

/// A measured page. The views point into the bytes that it was decoded from.
struct MeasuredPage {
  std::string_view section;
  std::string_view url;
  std::string_view title;
  std::uint64_t chars = 0;
  std::optional<std::uint64_t> share = {};  ///< kept share of the page's text, in thousandths
  bool near_empty = false;
  bool has_own_title = true;
};

std::string encode(const MeasuredPage& page);
std::string encode(const SkippedPage& page);
base::Result<MeasuredPage> decode_page(std::string_view bytes);
base::Result<SkippedPage> decode_skipped(std::string_view bytes);

}  // namespace sheaf::quality
