#pragma once

#include "sheaf/cli/output/terminal.h"

#include <string>
#include <vector>

namespace sheaf::cli {

/// Options of `sheaf lab`.
struct LabOptions {
  std::vector<std::string> names;
  unsigned port = 0;
  std::string run;
  std::string vectors;  ///< folder of conformance vectors; if empty, deployments are served
  bool list = false;
  bool json = false;
};

ExitStatus run_lab(const LabOptions& options);

}  // namespace sheaf::cli
