#include "sheaf/cli/browse/local_server.h"

#include "sheaf/cli/output/terminal.h"
#include "sheaf/http/message/client_check.h"
#include "sheaf/http/server/server.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>

namespace sheaf::cli {
namespace {

constexpr std::size_t kMinTokenLength = 16;

/// Reads the first line of the file. Its permissions are up to the operator, but a short token is refused
/// because it can be guessed.
base::Result<std::string> read_token(const std::string& path) {
  if (path.empty()) return std::string();
  std::ifstream file(path);
  std::string text;
  if (!std::getline(file, text))
    return std::unexpected(base::system_error(errno, "cannot read a token from " + path));
  if (text.ends_with('\r')) text.pop_back();
  if (text.size() >= kMinTokenLength) return text;
  return base::fail(
      base::Errc::invalid_argument,
      fmt::format("{}: a token has at least {} characters, found {}", path, kMinTokenLength, text.size()));
}

bool is_local_listener(const std::string& address) {
  return http::message::is_loopback_authority(address) || address.starts_with("127.") ||
         address.starts_with("unix:");
}

}  // namespace

Option add_local_server_options(const Command& command, LocalServerOptions& options,
                                const std::string& listen_help) {
  const Option listen = command.option("--listen", options.listen, listen_help).value_name("ADDRESS");
  command
      .option("--token-file", options.token_file,
              "file with the token that HTTP clients must send; required if other machines can connect")
      .value_name("FILE");
  command
      .option("--host", options.hosts,
              "host name that HTTP clients use for this server, e.g. sheaf.example.com:8443; repeatable")
      .value_name("HOST");
  command
      .option("--rate", options.rate,
              "maximum requests per second from one client (an IPv4 address or IPv6 /64); more get 429")
      .value_name("NUMBER")
      .within(0.001, 1e6);
  command.option("--max-connections", options.connections, "maximum number of connections; more get 503")
      .within<std::uint64_t>(1, 1'000'000)
      .show_default();
  return listen;
}

base::Result<OpenedServer> open_local_server(const LocalServerOptions& options) {
  OpenedServer opened;
  SHEAF_TRY_ASSIGN(opened.token, read_token(options.token_file));
  opened.is_exposed = !options.hosts.empty();
  for (const std::string& address : options.listen) {
    SHEAF_TRY_ASSIGN(auto sockets, http::server::listen_on(address));
    for (auto& socket : sockets) {
      opened.addresses.push_back(http::server::describe_listener(socket.get()));
      opened.sockets.push_back(std::move(socket));
      if (is_local_listener(opened.addresses.back())) continue;
      opened.is_exposed = true;
      if (opened.token.empty())
        return base::fail(base::Errc::refused,
                          fmt::format("{} can be reached from other machines: give a --token-file",
                                      opened.addresses.back()));
    }
  }
  return opened;
}

StopSignals::StopSignals() {
  sigemptyset(&signals_);
  for (const int signal : {SIGTERM, SIGINT}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

void StopSignals::wait() const { sigwaitinfo(&signals_, nullptr); }

base::Result<void> run_local_server(OpenedServer opened, const LocalServerOptions& options,
                                    http::server::RequestHandler& handler, const StopSignals& stop,
                                    const std::function<void()>& started) {
  http::server::Metrics metrics;
  http::server::ServerOptions limits;
  limits.threads = 4;
  limits.most_connections = options.connections;
  limits.rate.requests_per_second = options.rate;
  limits.rate.burst = std::max(1.0, options.rate);
  limits.log = [](const std::string& line) { print_message(line); };
  SHEAF_TRY_ASSIGN(const auto running, http::server::Server::start(std::move(opened.sockets), handler,
                                                                   metrics, std::move(limits)));
  if (started) started();
  stop.wait();
  running->drain();
  running->wait_until_empty(std::chrono::seconds(5));
  running->stop();
  return {};
}

}  // namespace sheaf::cli
