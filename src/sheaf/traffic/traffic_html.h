#pragma once

#include "sheaf/traffic/traffic_report.h"

#include <cstdint>
#include <map>
#include <string>

namespace sheaf::traffic {

/// The report as a single HTML file with SVG charts. It has no scripts and loads nothing. Names from logs are
/// escaped.
std::string to_html(const TrafficReport& report, const std::map<std::string, std::uint64_t>& pages);

}  // namespace sheaf::traffic
