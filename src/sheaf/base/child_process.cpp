#include "sheaf/base/child_process.h"

#include "sheaf/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <thread>

namespace sheaf::base {
namespace {

constexpr std::size_t kShownBytes = 1000;  // size of the end of the output that is part of the message
constexpr std::string_view kTooLong = "took too long";
// Most commands exit as soon as they close their output, so this is rarely waited for.
constexpr std::chrono::milliseconds kExitPoll{5};

/// Redirections and attributes of a child process. SIGPIPE and SIGXFSZ are set to their defaults, because a
/// child inherits ignored signals.
class SpawnSettings {
 public:
  /// Standard error is inherited if `errors` is -1.
  SpawnSettings(int input, int output, int errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    if (errors >= 0) posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
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

enum class ErrorOutput : std::uint8_t { with_output, ours };

/// A running command and the read end of the pipe with its output.
struct Running {
  pid_t child = 0;
  FileDescriptor output;
};

Result<Running> start_command(const std::vector<std::string>& words, ErrorOutput errors) {
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
  const SpawnSettings settings(nothing.get(), write_end.get(),
                               errors == ErrorOutput::ours ? -1 : write_end.get());
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

/// Reads the output until its end. Returns an error message if the deadline passes or the output exceeds
/// `most_bytes`, else an empty text.
std::string read_until(int descriptor, std::chrono::steady_clock::time_point deadline, std::size_t most_bytes,
                       std::string& output) {
  std::array<char, 4096> buffer;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return std::string(kTooLong);
    pollfd ready{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int count = poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
    if (count <= 0) continue;  // interrupted, or not yet
    const auto read = read_some(descriptor, buffer, "the output of a command");
    if (!read || *read == 0) return {};
    output.append(buffer.data(), *read);
    if (output.size() > most_bytes) return fmt::format("printed more than {} bytes", most_bytes);
  }
}

/// Waits for a command that has closed its output. Returns false if it is still running at the deadline. Does
/// not reap the process: finish_command() does.
bool exits_before(pid_t child, std::chrono::steady_clock::time_point deadline) {
  while (true) {
    siginfo_t exited{};
    const int failed = waitid(P_PID, static_cast<id_t>(child), &exited, WEXITED | WNOHANG | WNOWAIT);
    if (failed != 0 || exited.si_pid != 0) return true;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kExitPoll);
  }
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
  SHEAF_TRY_ASSIGN(Running running, start_command(words, ErrorOutput::with_output));
  const std::string last = last_output(running.output.get());
  return finish_command(running.child, words, subject, last);
}

Result<std::string> read_command(const std::vector<std::string>& words, const std::string& subject,
                                 std::chrono::seconds longest, std::size_t most_bytes) {
  SHEAF_TRY_ASSIGN(Running running, start_command(words, ErrorOutput::ours));
  std::string output;
  const auto deadline = std::chrono::steady_clock::now() + longest;
  std::string trouble = read_until(running.output.get(), deadline, most_bytes, output);
  if (trouble.empty() && !exits_before(running.child, deadline)) trouble = kTooLong;
  if (!trouble.empty()) kill(running.child, SIGKILL);
  const auto finished = finish_command(running.child, words, subject, {});
  if (!trouble.empty())
    return fail(Errc::io, fmt::format("`{}` was killed for {}: it {}", words.front(), subject, trouble));
  if (!finished) return std::unexpected(finished.error());
  return output;
}

}  // namespace sheaf::base
