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
// pull instead of opening the store. This file has both sides of that request.
namespace sheaf::cli {

/// Parses "fallback", "never" or "only".
std::optional<FetchPages> html_choice(std::string_view text);

/// Makes the request for the writer from the options of this process.
pull::ControlRequest make_pull_request(std::string site, const Command::Given& given);

/// Returns a handler of requests. Options that cannot be set per request must equal the writer's own, `own`.
pull::ControlServer::Handler make_request_handler(pull::FleetRequests& fleet, Command::Given own);

/// Adds to the error for a store in use which process uses it, if that is known.
base::Error name_store_writer(const std::filesystem::path& store, const base::Error& in_use);

}  // namespace sheaf::cli
