#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/control_message.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace sheaf::pull {

/// Callbacks for the command that waits for the pull.
struct ControlEvents {
  std::function<void(int process)> connected = {};
  std::function<void(const PullProgress&)> progress = {};
  std::function<void(std::string_view)> note = {};
  std::function<bool()> stopped = {};  ///< true ends the wait; the pull goes on
};

/// Asks the process that holds the store in `store` for a pull, and waits for its report. Errors: not_found
/// where no process takes requests there; refused, with its reason, where it does not make the pull or the
/// wait was ended; broken_pipe where it ended before it was done.
base::Result<ControlReport> ask_for_pull(const std::filesystem::path& store, const ControlRequest& request,
                                         const ControlEvents& events);

/// The process that has the store open for writing, if it can be determined.
std::optional<int> find_store_writer(const std::filesystem::path& store);

}  // namespace sheaf::pull
