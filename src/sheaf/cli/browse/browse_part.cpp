#include "sheaf/browse/browse_app.h"
#include "sheaf/browse/inspections.h"
#include "sheaf/cli/browse/local_server.h"
#include "sheaf/cli/browse/web_browser.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <utility>

// The entry points of this part of the program.

using sheaf::cli::AddCommand;

sheaf::base::Result<void> sheaf_inspect_in_browser(const std::string& file) {
  using namespace sheaf;
  using namespace sheaf::cli;
  // Only clients with the URL have access: it contains a token.
  const StopSignals stop;
  LocalServerOptions server;
  server.listen.emplace_back("127.0.0.1:0");
  SHEAF_TRY_ASSIGN(OpenedServer opened, open_local_server(server));
  browse::Inspections inspections({});
  SHEAF_TRY_ASSIGN(const std::string id, inspections.inspect_path(file));
  const std::string token = random_token();
  const std::string url = fmt::format("http://{}/?token={}&id={}", opened.addresses.front(), token, id);
  browse::ViewContext context;
  context.inspections = &inspections;
  context.open_by_name = browse::OpenByName::machine;
  browse::BrowseApp app(context, {.token = token});
  print_message(fmt::format("open {} ; Ctrl+C ends the inspector", url));
  return run_local_server(std::move(opened), server, app, stop, [&] { open_in_browser(url); });
}

AddCommand* sheaf_browse_command(std::string_view name) {
  if (name == "browse") return sheaf::cli::add_browse;
  return name == "mcp" ? sheaf::cli::add_mcp : nullptr;
}
