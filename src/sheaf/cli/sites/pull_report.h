#pragma once

#include "sheaf/pull/fleet.h"
#include "sheaf/pull/pull.h"

#include <string>

namespace sheaf::cli {

/// The result of a pull as text of several lines.
std::string describe_pull(const pull::PullReport& report, bool plan_only);

/// The same as one JSON object on one line.
std::string pull_as_json(const pull::PullReport& report);

/// The results for a list of sites in one line.
std::string describe_fleet(const pull::FleetSummary& summary);

/// The same as one JSON object: {"summary":{...}}, so that it is not mistaken for the report of a site.
std::string fleet_as_json(const pull::FleetSummary& summary);

}  // namespace sheaf::cli
