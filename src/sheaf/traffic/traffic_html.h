#pragma once

#include "sheaf/markup/html_writer.h"
#include "sheaf/traffic/traffic_report.h"

#include <cstdint>
#include <map>
#include <string>

namespace sheaf::traffic {

/// The report as a single HTML file with SVG charts. It has no scripts and loads nothing. Names from logs are
/// escaped.
std::string to_html(const TrafficReport& report, const std::map<std::string, std::uint64_t>& pages);

/// Writes a chart of the requests of crawlers in the last `shown` days that are in `days`.
void write_day_chart(markup::HtmlWriter& out, const std::map<std::int64_t, DayTraffic>& days,
                     std::int64_t shown);

}  // namespace sheaf::traffic
