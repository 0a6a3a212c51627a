#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/pull/control_server.h"
#include "sheaf/pull/fleet_requests.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// A store has one writer. While `sheaf pull --list` is that writer, another `sheaf pull URL` asks it for the
// pull instead of opening the store: both halves of that.
namespace sheaf::cli {

/// "fallback", "never", "only".
std::optional<pull::HtmlFallback> html_choice(std::string_view text);

/// What to ask the writer for, by the options given to this process.
pull::ControlRequest make_pull_request(std::string site, const Command::Given& given);

/// Makes the pulls that are asked for. Options that only the writer's own command line decides must have been
/// given to it, too: `own`.
pull::ControlServer::Handler make_request_handler(pull::FleetRequests& fleet, Command::Given own);

/// The error for a store that is in use, with the process that uses it where that is known.
base::Error name_store_writer(const std::filesystem::path& store, const base::Error& in_use);

}  // namespace sheaf::cli
