#include "sheaf/base/ascii.h"
#include "sheaf/base/file.h"
#include "sheaf/cli/browse/local_server.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/spawn_attributes.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/mcp/mcp_server.h"
#include "sheaf/mcp/pull_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace sheaf::cli {
namespace {

using Outcome = mcp::PullRunner::Outcome;

constexpr std::size_t kMaxReport = 20'000;
constexpr int kPollMilliseconds = 200;

struct ChildProcess {
  pid_t id = -1;
  base::FileDescriptor output;
};

/// Starts a child whose standard output and error go to one pipe. Its input is empty, because our input is
/// that of the MCP client.
ChildProcess start(const std::vector<std::string>& words) {
  std::array<int, 2> pipe{};
  if (pipe2(pipe.data(), O_CLOEXEC) != 0) return {};
  base::FileDescriptor read_end(pipe[0]);
  const base::FileDescriptor write_end(pipe[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDERR_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ChildProcess child{-1, std::move(read_end)};
  const SpawnAttributes attributes;
  if (posix_spawn(&child.id, "/proc/self/exe", &actions, attributes.get(), arguments.data(), environ) != 0)
    child.id = -1;
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

/// Reads what the child prints, up to a limit, until it ends. Sends SIGTERM to the child when `is_stopped` is
/// set.
std::string read_report(const ChildProcess& child, const std::atomic<bool>& is_stopped) {
  std::string report;
  bool was_told = false;
  std::array<char, 4096> buffer{};
  while (true) {
    if (is_stopped && !std::exchange(was_told, true)) kill(child.id, SIGTERM);
    pollfd wait{child.output.get(), POLLIN, 0};
    if (poll(&wait, 1, kPollMilliseconds) <= 0) continue;
    const ssize_t count = read(child.output.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return report;
    if (report.size() < kMaxReport) report.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// Pulls sites by running `sheaf pull SITE --store STORE --index` as a child process. So every guard of that
/// command applies, it also works while `sheaf pull --list` has the store open, and a signal stops it.
mcp::PullRunner::Pull pull_by_process(std::string store, bool allow_private) {
  return [store = std::move(store), allow_private](const std::string& site,
                                                   const std::atomic<bool>& is_stopped) -> Outcome {
    std::vector<std::string> words{"sheaf", "pull", "--store", store, "--index"};
    if (allow_private) words.emplace_back("--allow-private");
    words.insert(words.end(), {"--", site});
    const ChildProcess child = start(words);
    if (child.id < 0) return {false, fmt::format("the pull could not be started: {}", std::strerror(errno))};
    Outcome outcome{false, read_report(child, is_stopped)};
    int status = 0;
    while (waitpid(child.id, &status, 0) < 0 && errno == EINTR) {
    }
    outcome.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return outcome;
  };
}

struct McpOptions {
  std::string store;
  LocalServerOptions server;
  bool allow_pull = false;
  bool allow_private = false;
};

// Over HTTP a tool call waits for a pull only briefly, because other requests need the worker thread.
constexpr std::chrono::milliseconds kPullWaitHttp{1'000};
/// Reads one message per line from standard input and writes one response per line to standard output.
class StdioLoop {
 public:
  explicit StdioLoop(mcp::McpServer& server) : server_(server) {}

  /// Returns at the end of the input, which is how a client stops its server.
  void run() {
    std::array<char, 65536> buffer{};
    while (true) {
      const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
      if (count <= 0) break;
      for (ssize_t i = 0; i < count; ++i) take(buffer[static_cast<std::size_t>(i)]);
      if (std::ferror(stdout) != 0) return;
    }
    take('\n');  // the last message may lack its line feed
  }

 private:
  /// Keeps only one byte more than the limit of a line that is too long, which is enough to reject it.
  void take(char c) {
    if (c != '\n') {
      if (line_.size() <= mcp::kMaxRpcBytes) line_ += c;
      return;
    }
    const bool is_blank = base::trim_xml_space(line_).empty();
    const auto answer = is_blank ? std::nullopt : server_.handle(line_);
    line_.clear();
    if (!answer) return;
    print_json_line(*answer);
    std::fflush(stdout);
  }

  mcp::McpServer& server_;
  std::string line_;
};

base::Result<void> serve_http(const McpOptions& options, mcp::McpServer& server, const StopSignals& stop) {
  SHEAF_TRY_ASSIGN(OpenedServer opened, open_local_server(options.server));
  for (const std::string& address : opened.addresses)
    print_message(fmt::format("listening on http://{}{}", address, mcp::kMcpPath));
  mcp::McpHttp handler(server, {.token = opened.token, .hosts = options.server.hosts});
  return run_local_server(std::move(opened), options.server, handler, stop);
}

base::Result<void> serve_clients(const McpOptions& options) {
  if (options.server.listen.empty() && !(options.server.token_file.empty() && options.server.hosts.empty()))
    return base::fail(base::Errc::invalid_argument,
                      "--token-file and --host are for HTTP: give --listen too");
  const bool is_http = !options.server.listen.empty();
  std::optional<StopSignals> stop;
  if (is_http) stop.emplace();
  SHEAF_TRY_ASSIGN(const auto store, open_existing_store(options.store, StoreAccess::read));
  std::optional<mcp::PullRunner> pulls;
  if (options.allow_pull) pulls.emplace(pull_by_process(options.store, options.allow_private));
  mcp::ToolOptions tools{.location = options.store, .pulls = pulls ? &*pulls : nullptr};
  if (is_http) tools.pull_wait = kPullWaitHttp;
  mcp::McpTools offered(*store, tools);
  mcp::McpServer server(offered, SHEAF_VERSION);
  if (is_http) return serve_http(options, server, *stop);
  StdioLoop(server).run();
  return {};
}

ExitStatus run(const McpOptions& options) {
  const auto served = serve_clients(options);
  if (served) return ExitStatus::yes;
  (void)report_failure(served.error());
  return ExitStatus::unknown;
}

}  // namespace

void add_mcp(const Command& program, Job& job) {
  auto options = std::make_shared<McpOptions>();
  const Command command =
      program.subcommand("mcp", "Offer a store to AI assistants over the Model Context Protocol (MCP)");
  add_store_option(command, options->store);
  add_local_server_options(
      command, options->server,
      "serve over HTTP on this address, e.g. 127.0.0.1:8481; default: standard input and output");
  const Option pull = command.flag("--allow-pull", options->allow_pull,
                                   "offer the tool pull_site, which fetches sites over the network");
  command
      .flag("--allow-private", options->allow_private, "let pull_site fetch from private and local addresses")
      .needs(pull);
  command.footer(
      "Example: sheaf mcp --store crawl\n"
      "         sheaf mcp --store crawl --listen 127.0.0.1:8481\n"
      "Exit status: 0 stopped normally, 2 the store or the address cannot be used.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
