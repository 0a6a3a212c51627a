#pragma once

#include "sheaf/cli/doctor/lab_run.h"
#include "sheaf/cli/output/exit_status.h"

namespace sheaf::cli {

/// `sheaf lab --vectors`: serves a folder of conformance vectors, or tries a validator on each.
ExitStatus run_vectors(const LabOptions& options);

}  // namespace sheaf::cli
