#pragma once

#include "sheaf/pull/pull.h"

#include <string>

namespace sheaf::cli {

/// What a pull came to, for people; several lines.
std::string describe_pull(const pull::PullReport& report, bool plan_only);

/// The same as one JSON object on one line.
std::string pull_as_json(const pull::PullReport& report);

}  // namespace sheaf::cli
