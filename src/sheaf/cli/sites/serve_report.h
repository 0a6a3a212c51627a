#pragma once

#include "sheaf/serve/start_report.h"

#include <string>
#include <vector>

namespace sheaf::cli {

/// What `sheaf serve` prints when it starts. `addresses` and `user` may be empty.
std::string describe_serving(const std::string& folder, const std::vector<std::string>& addresses,
                             const std::string& user, const serve::StartReport& report);

/// The same for programs: one JSON object.
std::string serving_as_json(const std::string& folder, const serve::StartReport& report);

}  // namespace sheaf::cli
