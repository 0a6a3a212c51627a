#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/format/limits.h"
#include <sheaf/time.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {

/// Returns the number of processors; 1 on systems that do not reveal it.
unsigned number_of_processors();

/// Adds --threads; the default is one per processor. `what` says in the help what the threads do.
Option add_thread_option(const Command& command, unsigned& threads, const std::string& what);

/// Parses the value of an option that takes a time: an RFC 3339 time, or a date, which means midnight UTC.
/// Returns nullopt for an empty text. Errors name the option and say what it accepts.
base::Result<std::optional<Instant>> parse_time_option(std::string_view option, const std::string& text);

/// Options for the limits of a reader: --max-page 10MiB and so on.
void add_limit_options(const Command& command, format::Limits& limits);

/// Returns an environment variable, or nullopt if it is not set. Used for the keys of object storage.
std::optional<std::string> environment_variable(const std::string& name);

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
