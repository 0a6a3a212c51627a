#pragma once

#include "sheaf/browse/html_writer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::browse {

/// One series of a chart: a value for each day or bar.
struct ChartSeries {
  std::string_view name;
  std::vector<std::uint64_t> values;
};

struct ChartOptions {
  std::string_view title;
  std::vector<std::string> labels;  ///< below the bars; the first, the middle and the last are shown
  std::string (*describe)(std::uint64_t) = nullptr;  ///< a value for people: human_size
};

/// Bars side by side for each label. The figures are also in a table, for those who cannot see the chart.
void write_bar_chart(HtmlWriter& out, const ChartOptions& options, const std::vector<ChartSeries>& series);

/// Horizontal bars, one for each label, of one series.
void write_share_chart(HtmlWriter& out, const ChartOptions& options,
                       const std::vector<std::uint64_t>& values);

}  // namespace sheaf::browse
