#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/http/fetch/fetcher.h"

#include <string>
#include <vector>

namespace sheaf::cli {

/// The options of commands that request pages of sites, as they are typed.
struct FetchArguments {
  http::fetch::FetchOptions fetch{RequestOptions{.user_agent = "sheaf/" SHEAF_VERSION}};
  double delay = std::chrono::duration<double>(RequestOptions().delay).count();  ///< seconds
  unsigned timeout = static_cast<unsigned>(RequestOptions().timeout.count());    ///< seconds
  std::vector<std::string> resolve;
};

/// Adds --user-agent, --delay, --ca-file, --allow-http, --resolve and --allow-private.
void add_fetch_options(const Command& command, FetchArguments& arguments);
/// Adds --from, --connections, --timeout, --min-rate and --tries, for commands that request much.
void add_transfer_options(const Command& command, FetchArguments& arguments);

base::Result<http::fetch::FetchOptions> parse_fetch_options(const FetchArguments& arguments);

}  // namespace sheaf::cli
