#pragma once

#include "sheaf/cli/output/json_output.h"
#include "sheaf/store/shared_stores.h"

#include <string>
#include <vector>

namespace sheaf::cli {

/// The workers of a shared store, one per line, after a line with their number.
std::string describe_workers(const std::vector<store::shared::WorkerInfo>& workers);

/// Writes the same as the member "workers".
void write_workers(JsonOutput& out, const std::vector<store::shared::WorkerInfo>& workers);

/// Returns the same for monitors: a series for each live worker. Every worker reports all of them.
std::string worker_metrics_text(const std::vector<store::shared::WorkerInfo>& workers);

}  // namespace sheaf::cli
