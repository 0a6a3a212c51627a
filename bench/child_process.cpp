#include "child_process.h"

#include "race.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

extern char** environ;

namespace sheaf::bench {
namespace {

constexpr std::string_view kLaunch = "--launch";
constexpr int kResultDescriptor = 3;

std::vector<char*> to_arguments(std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return arguments;
}

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    require(pipe2(ends.data(), O_CLOEXEC) == 0, "a pipe opens");
    read_end = ends[0];
    write_end = ends[1];
  }
  int read_end;
  int write_end;
};

}  // namespace

bool launch_if_asked(int argc, char** argv) {
  if (argc < 4 || argv[1] != kLaunch) return false;
  ChildRun run;
  run.seconds = seconds_of([&] {
    pid_t child = 0;
    fcntl(kResultDescriptor, F_SETFD, FD_CLOEXEC);
    require(posix_spawnp(&child, argv[3], nullptr, nullptr, argv + 3, environ) == 0, "the program starts");
    int status = 0;
    struct rusage usage{};
    require(wait4(child, &status, 0, &usage) == child, "the program ends");
    run.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  });
  require(write(kResultDescriptor, &run, sizeof run) == sizeof run, "the result is written");
  return true;
}

ChildRun run_child(const std::vector<std::string>& command, const std::function<void(int)>& feed) {
  std::vector<std::string> words = {"/proc/self/exe", std::string(kLaunch),
                                    std::to_string(kResultDescriptor)};
  words.insert(words.end(), command.begin(), command.end());
  const std::vector<char*> arguments = to_arguments(words);
  const Pipe result;
  const Pipe input;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.read_end, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, result.write_end, kResultDescriptor);
  pid_t launcher = 0;
  const int failed = posix_spawn(&launcher, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  require(failed == 0, "the launcher starts");
  close(input.read_end);
  close(result.write_end);
  // A program that ends early must show as its exit status, not end us.
  const auto previous = std::signal(SIGPIPE, SIG_IGN);
  if (feed) feed(input.write_end);
  close(input.write_end);
  std::signal(SIGPIPE, previous);
  ChildRun run;
  require(read(result.read_end, &run, sizeof run) == sizeof run, "the launcher reports");
  close(result.read_end);
  waitpid(launcher, nullptr, 0);
  return run;
}

}  // namespace sheaf::bench
