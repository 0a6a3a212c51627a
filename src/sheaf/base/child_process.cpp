#include "sheaf/base/child_process.h"

#include "sheaf/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

namespace sheaf::base {
namespace {

constexpr std::size_t kShownBytes = 1000;  // size of the end of the output that is part of the message

/// Redirections and attributes of a child process. SIGPIPE and SIGXFSZ are set to their defaults, because a
/// child inherits ignored signals.
class SpawnSettings {
 public:
  SpawnSettings(int input, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Reads the output to its end and returns the last kShownBytes, without line ends at the end.
std::string last_output(int descriptor) {
  std::string output;
  std::array<char, 4096> buffer;
  while (true) {
    const auto count = read_some(descriptor, buffer, "the output of a command");
    if (!count || *count == 0) break;
    output.append(buffer.data(), *count);
    if (output.size() > 2 * kShownBytes) output.erase(0, output.size() - kShownBytes);
  }
  if (output.size() > kShownBytes) output.erase(0, output.size() - kShownBytes);
  while (!output.empty() && (output.back() == '\n' || output.back() == '\r')) output.pop_back();
  return output;
}

/// A running command and the read end of the pipe with its output.
struct Running {
  pid_t child = 0;
  FileDescriptor output;
};

Result<Running> start_command(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return std::unexpected(system_error(errno, fmt::format("cannot run {}", words.front())));
  Running running{.output = FileDescriptor(ends[0])};
  const FileDescriptor write_end(ends[1]);
  const FileDescriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT(*-const-cast): as the C library has it
  arguments.push_back(nullptr);
  const SpawnSettings settings(nothing.get(), write_end.get());
  const int failed = posix_spawnp(&running.child, arguments.front(), settings.actions(),
                                  settings.attributes(), arguments.data(), environ);
  if (failed != 0) return std::unexpected(system_error(failed, fmt::format("cannot run {}", words.front())));
  return running;
}

/// Waits until a command exits. Fails if its exit status is not 0.
Result<void> finish_command(pid_t child, const std::vector<std::string>& words, const std::string& subject,
                            const std::string& last) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return std::unexpected(system_error(errno, fmt::format("cannot wait for {}", words.front())));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return fail(Errc::io, fmt::format("`{}` failed for {} with status {}{}{}", words.front(), subject,
                                    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                                    last.empty() ? "" : ": ", last));
}

}  // namespace

std::string fill_placeholders(std::string_view word, const Placeholders& values) {
  std::string result;
  while (!word.empty()) {
    const auto value =
        std::ranges::find_if(values, [&](const auto& each) { return word.starts_with(each.first); });
    if (value == values.end()) {
      result += word.front();
      word.remove_prefix(1);
    } else {
      result += value->second;
      word.remove_prefix(value->first.size());
    }
  }
  return result;
}

Result<void> run_command(const std::vector<std::string>& words, const std::string& subject) {
  SHEAF_TRY_ASSIGN(Running running, start_command(words));
  const std::string last = last_output(running.output.get());
  return finish_command(running.child, words, subject, last);
}

}  // namespace sheaf::base
