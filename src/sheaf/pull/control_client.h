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
  std::function<bool()> stopped = {};  ///< true ends the wait, but not the pull
};

/// Asks the process that has the store in `store` open for a pull, and waits for its report. Fails with
/// Errc::not_found if no process takes requests there, Errc::refused if the process declines (with its
/// reason) or the wait was ended, and Errc::broken_pipe if the process ended before the pull was done.
base::Result<ControlReport> ask_for_pull(const std::filesystem::path& store, const ControlRequest& request,
                                         const ControlEvents& events);

/// The process that has the store open for writing, if it can be determined.
std::optional<int> find_store_writer(const std::filesystem::path& store);

}  // namespace sheaf::pull
