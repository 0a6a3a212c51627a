#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/http/server/request_handler.h"

#include <csignal>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

// Servers for the people of one machine, or for those who have a token: mcp, browse, inspect --web.
namespace sheaf::cli {

struct LocalServerOptions {
  std::vector<std::string> listen;
  std::vector<std::string> hosts;  ///< names that clients use for the server
  std::string token_file;
  double rate = 0;  ///< requests per second and client; 0: no limit
  std::size_t connections = 256;
};

/// --listen, --token-file, --host, --rate and --max-connections. `clients` are those who connect ("HTTP
/// clients").
Option add_local_server_options(const Command& command, LocalServerOptions& options,
                                const std::string& listen_help);

/// SIGTERM and SIGINT, for a server to wait for. To be made before anything that starts threads, such as a
/// store: a thread that does not block them would let them end the process.
class StopSignals {
 public:
  StopSignals();
  void wait() const;

 private:
  sigset_t signals_{};
};

/// What a server needs to know before it starts.
struct OpenedServer {
  std::vector<base::FileDescriptor> sockets;
  std::vector<std::string> addresses;  ///< "127.0.0.1:8480"
  std::string token;                   ///< empty: none
  bool is_exposed = false;  ///< other machines may reach it: an address is not loopback, or --host is given
};

/// Listens, and reads the token. Errc::refused if others could reach it without one.
base::Result<OpenedServer> open_local_server(const LocalServerOptions& options);

/// Serves until it is stopped. `started` is called when requests are answered.
base::Result<void> run_local_server(OpenedServer opened, const LocalServerOptions& options,
                                    http::server::RequestHandler& handler, const StopSignals& stop,
                                    const std::function<void()>& started = {});

}  // namespace sheaf::cli
