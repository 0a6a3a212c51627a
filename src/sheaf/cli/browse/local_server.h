#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/http/server/server.h"

#include <csignal>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

// Servers for the users of one machine, or for clients with a token: mcp, browse, inspect --web.
namespace sheaf::cli {

struct LocalServerOptions {
  std::vector<std::string> listen;
  std::vector<std::string> hosts;  ///< names that clients use for the server
  std::string token_file;
  double rate = 0;  ///< maximum requests per second of one client; 0: no limit
  std::size_t connections = 256;
};

/// Adds --listen, --token-file, --host, --rate and --max-connections. `listen_help` describes --listen, which
/// is returned.
Option add_local_server_options(const Command& command, LocalServerOptions& options,
                                const std::string& listen_help);

/// Waits for SIGTERM or SIGINT. Create it before anything that starts threads, such as a store: a thread that
/// does not block these signals would let them end the process.
class StopSignals {
 public:
  StopSignals();
  void wait() const;

 private:
  sigset_t signals_{};
};

/// A server that listens but does not answer yet.
struct OpenedServer {
  std::vector<base::FileDescriptor> sockets;
  std::vector<std::string> addresses;  ///< "127.0.0.1:8480"
  std::string token;                   ///< empty if there is none
  bool is_exposed = false;  ///< other machines may reach it: an address is not loopback, or --host was given
};

/// Opens the sockets and reads the token. Fails with Errc::refused if other machines could reach the server
/// without a token.
base::Result<OpenedServer> open_local_server(const LocalServerOptions& options);

/// Serves until a signal stops it. `started` is called as soon as requests are answered.
base::Result<void> run_local_server(OpenedServer opened, const LocalServerOptions& options,
                                    http::server::RequestHandler& handler, const StopSignals& stop,
                                    const std::function<void()>& started = {});

}  // namespace sheaf::cli
