#pragma once

#include "sheaf/markup/html_writer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::markup {

/// One series of a chart: a value for each day or bar.
struct ChartSeries {
  std::string_view name;
  std::vector<std::uint64_t> values;
};

struct ChartOptions {
  std::string_view title;
  std::vector<std::string> labels;  ///< below the bars; only the first, middle and last are shown
  std::string (*describe)(std::uint64_t) = nullptr;  ///< formats a value, for example human_size()
};

/// Writes bars side by side for each label. The figures are also in a table, for users who cannot see the
/// chart.
void write_bar_chart(HtmlWriter& out, const ChartOptions& options, const std::vector<ChartSeries>& series);

/// Writes horizontal bars of one series, one for each label.
void write_share_chart(HtmlWriter& out, const ChartOptions& options,
                       const std::vector<std::uint64_t>& values);

}  // namespace sheaf::markup
