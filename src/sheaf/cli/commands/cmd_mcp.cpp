#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/commands/mcp_pull.h"
#include "sheaf/cli/options/store_options.h"
#include "sheaf/cli/options/working_folder.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/http/server/listen_socket.h"
#include "sheaf/http/server/server.h"
#include "sheaf/mcp/mcp_http.h"
#include "sheaf/mcp/mcp_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

struct Options {
  std::string store;
  std::vector<std::string> listen;
  std::vector<std::string> hosts;
  std::string token_file;
  bool allow_pull = false;
  bool allow_private = false;
};

// A worker thread waits for a pull only briefly: others are waiting for it.
constexpr std::chrono::milliseconds kPullWaitHttp{1'000};
constexpr std::size_t kShortestToken = 16;

/// The first line of the file. Its rights are the operator's business; a short token can be guessed.
base::Result<std::string> read_token(const std::string& path) {
  if (path.empty()) return std::string();
  std::ifstream file(path);
  std::string text;
  if (!std::getline(file, text))
    return std::unexpected(base::system_error(errno, "cannot read a token from " + path));
  if (text.ends_with('\r')) text.pop_back();
  if (text.size() >= kShortestToken) return text;
  return base::fail(
      base::Errc::invalid_argument,
      fmt::format("{}: a token has at least {} characters, found {}", path, kShortestToken, text.size()));
}

/// Whoever reaches an address that is not loopback can ask: then a token is needed.
base::Result<void> check_exposure(const std::vector<base::FileDescriptor>& sockets,
                                  const std::string& token) {
  for (const auto& socket : sockets) {
    const std::string address = http::server::describe_listener(socket.get());
    const bool is_local =
        mcp::is_loopback_authority(address) || address.starts_with("127.") || address.starts_with("unix:");
    if (!is_local && token.empty())
      return base::fail(base::Errc::refused,
                        fmt::format("{} can be reached from other machines: give a --token-file", address));
  }
  return {};
}

/// One message a line on standard input, one answer a line on standard output.
class StdioLoop {
 public:
  explicit StdioLoop(mcp::McpServer& server) : server_(server) {}

  /// Ends with the input, which is how a client stops its server.
  void run() {
    std::array<char, 65536> buffer{};
    while (true) {
      const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
      if (count <= 0) return;
      for (ssize_t i = 0; i < count; ++i) take(buffer[static_cast<std::size_t>(i)]);
      if (std::ferror(stdout) != 0) return;
    }
  }

 private:
  /// Of a line that is too long only so much is kept as shows that it is.
  void take(char c) {
    if (c != '\n') {
      if (line_.size() <= mcp::kMostRpcBytes) line_ += c;
      return;
    }
    const bool is_blank = line_.find_first_not_of(" \t\r") == std::string::npos;
    const auto answer = is_blank ? std::nullopt : server_.handle(line_);
    line_.clear();
    if (!answer) return;
    print_json_line(*answer);
    std::fflush(stdout);
  }

  mcp::McpServer& server_;
  std::string line_;
};

base::Result<void> serve_http(const Options& options, mcp::McpServer& server) {
  SHEAF_TRY_ASSIGN(const std::string token, read_token(options.token_file));
  std::vector<base::FileDescriptor> sockets;
  for (const std::string& address : options.listen) {
    SHEAF_TRY_ASSIGN(auto opened, http::server::listen_on(address));
    for (auto& socket : opened) sockets.push_back(std::move(socket));
  }
  SHEAF_TRY(check_exposure(sockets, token));
  for (const auto& socket : sockets)
    complain(fmt::format("listening on http://{}{}", http::server::describe_listener(socket.get()),
                         mcp::kMcpPath));
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  mcp::McpHttp handler(server, {.token = token, .hosts = options.hosts});
  http::server::Metrics metrics;
  http::server::ServerOptions limits;
  limits.threads = 4;
  limits.most_connections = 256;
  limits.log = [](const std::string& line) { complain(line); };
  SHEAF_TRY_ASSIGN(const auto running,
                   http::server::Server::start(std::move(sockets), handler, metrics, std::move(limits)));
  sigwaitinfo(&signals, nullptr);
  running->drain();
  running->wait_until_empty(std::chrono::seconds(5));
  running->stop();
  return {};
}

base::Result<void> serve_clients(const Options& options) {
  SHEAF_TRY_ASSIGN(const auto store, open_existing_store(options.store, store::Access::read));
  std::optional<mcp::PullRunner> pulls;
  if (options.allow_pull) pulls.emplace(pull_by_process(options.store, options.allow_private));
  mcp::ToolOptions tools{.location = working_folder(options.store), .pulls = pulls ? &*pulls : nullptr};
  if (!options.listen.empty()) tools.pull_wait = kPullWaitHttp;
  mcp::McpTools offered(*store, tools);
  mcp::McpServer server(offered, SHEAF_VERSION);
  if (!options.listen.empty()) return serve_http(options, server);
  StdioLoop(server).run();
  return {};
}

ExitStatus run(const Options& options) {
  const auto served = serve_clients(options);
  if (served) return ExitStatus::yes;
  (void)report_failure(served.error());
  return ExitStatus::unknown;
}

}  // namespace

void add_mcp(const Command& program, Job& job) {
  auto options = std::make_shared<Options>();
  const Command command =
      program.subcommand("mcp", "Offer a store to AI assistants by the Model Context Protocol");
  add_store_option(command, options->store);
  const Option listen =
      command
          .option("--listen", options->listen,
                  "address for HTTP, as 127.0.0.1:8481; standard input and output unless given")
          .value_name("ADDRESS");
  command
      .option("--token-file", options->token_file,
              "file with the token that HTTP clients send; needed for addresses that other machines reach")
      .value_name("FILE")
      .needs(listen);
  command
      .option("--host", options->hosts,
              "name that HTTP clients use for this server, as mcp.example.com:8481; may come several times")
      .value_name("HOST")
      .needs(listen);
  const Option pull = command.flag("--allow-pull", options->allow_pull,
                                   "offer pull_site, which fetches sites over the network");
  command.flag("--allow-private", options->allow_private, "let it fetch from private and local addresses")
      .needs(pull);
  command.footer(
      "Example: sheaf mcp --store crawl\n"
      "         sheaf mcp --store crawl --listen 127.0.0.1:8481\n"
      "Exit status: 0 ended in order, 2 the store or the address cannot be used.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
