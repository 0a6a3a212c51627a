#include "sheaf/cli/browse/mcp_pull.h"

#include "sheaf/base/file.h"
#include "sheaf/cli/sites/spawn_attributes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
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

}  // namespace

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

}  // namespace sheaf::cli
