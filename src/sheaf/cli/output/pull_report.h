#pragma once

#include "sheaf/pull/fleet.h"
#include "sheaf/pull/pull.h"

#include <string>

namespace sheaf::cli {

/// What a pull came to, for people; several lines.
std::string describe_pull(const pull::PullReport& report, bool plan_only);

/// The same as one JSON object on one line.
std::string pull_as_json(const pull::PullReport& report);

/// What became of the sites of a list, in one line.
std::string describe_fleet(const pull::FleetSummary& summary);

/// The same as one JSON object: {"summary":{...}}, so that it is not mistaken for the report of a site.
std::string fleet_as_json(const pull::FleetSummary& summary);

}  // namespace sheaf::cli
