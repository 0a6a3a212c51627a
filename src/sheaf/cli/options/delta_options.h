#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/format/deltas/collection_delta.h"

#include <optional>
#include <string>
#include <vector>

namespace sheaf::cli {

/// Options that diff and merge share.
struct DeltaCommandOptions {
  std::vector<std::string> outputs;
  std::optional<int> level;
  format::DeltaOptions library;
  bool json = false;
};

/// `output_name` describes the output in the help. Returns the option of the output.
Option add_delta_options(const Command& command, DeltaCommandOptions& options,
                         const std::string& output_name);

base::Result<std::vector<format::WriterTarget>> targets_of(const DeltaCommandOptions& options);

}  // namespace sheaf::cli
