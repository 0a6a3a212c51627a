#include "sheaf/objects/command_store.h"

#include "sheaf/base/file.h"
#include "sheaf/base/hex.h"
#include "sheaf/base/sha256.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>
#include <vector>

namespace sheaf::objects {
namespace {

constexpr std::size_t kShownBytes = 1000;  // the end of the output that goes into the message

using Values = std::vector<std::pair<std::string_view, std::string>>;

/// Replaces all placeholders in one pass, so that braces inside a value are not expanded.
std::string fill_in(std::string_view word, const Values& values) {
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

/// A child process inherits ignored signals, so they are reset.
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

/// The last part of a command's output, as one line.
std::string last_output(int descriptor) {
  std::string output;
  std::array<char, 4096> buffer;
  while (true) {
    const auto count = base::read_some(descriptor, buffer, "what a command prints");
    if (!count || *count == 0) break;
    output.append(buffer.data(), *count);
    if (output.size() > 2 * kShownBytes) output.erase(0, output.size() - kShownBytes);
  }
  if (output.size() > kShownBytes) output.erase(0, output.size() - kShownBytes);
  while (!output.empty() && (output.back() == '\n' || output.back() == '\r')) output.pop_back();
  return output;
}

/// Messages name the program and the file, but not the other arguments, which may include a password.
base::Result<void> run(const std::vector<std::string>& words, const std::string& name) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return std::unexpected(base::system_error(errno, fmt::format("cannot run {}", words.front())));
  const base::FileDescriptor read_end(ends[0]);
  base::FileDescriptor write_end(ends[1]);
  const base::FileDescriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT(*-const-cast): as the C library has it
  arguments.push_back(nullptr);
  const SpawnSettings settings(nothing.get(), write_end.get());
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments.front(), settings.actions(), settings.attributes(),
                                  arguments.data(), environ);
  if (failed != 0)
    return std::unexpected(base::system_error(failed, fmt::format("cannot run {}", words.front())));
  write_end.reset();
  const std::string last = last_output(read_end.get());
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return std::unexpected(base::system_error(errno, fmt::format("cannot wait for {}", words.front())));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return base::fail(base::Errc::io,
                    fmt::format("`{}` failed for {} with status {}{}{}", words.front(), name,
                                WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                                last.empty() ? "" : ": ", last));
}

class CommandStore final : public ObjectStore {
 public:
  explicit CommandStore(CommandSettings settings) : settings_(std::move(settings)) {}

  base::Result<void> put(const std::string& name, const std::filesystem::path& file,
                         const ObjectLabel& label) override {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(file, error);
    return run(filled(settings_.put, {{"{file}", whole.string()},
                                      {"{name}", name},
                                      {"{type}", label.content_type},
                                      {"{encoding}", label.content_encoding},
                                      {"{cache}", label.cache_control}}),
               name);
  }

  base::Result<void> remove(const std::string& name) override {
    if (settings_.remove.empty()) return {};
    return run(filled(settings_.remove, {{"{name}", name}}), name);
  }

  [[nodiscard]] bool is_readable() const override { return false; }
  base::Result<std::optional<ObjectInfo>> head(const std::string& /*name*/) override { return std::nullopt; }
  base::Result<std::optional<std::string>> get(const std::string& /*name*/,
                                               std::uint64_t /*limit*/) override {
    return std::nullopt;
  }
  base::Result<void> list(const std::string& /*prefix*/, const Visitor& /*visit*/) override {
    return base::fail(base::Errc::invalid_argument, "a command cannot list objects");
  }
  base::Result<bool> put_if(const std::string& /*name*/, std::string_view /*bytes*/,
                            const ObjectLabel& /*label*/, const PutCondition& /*condition*/) override {
    return base::fail(base::Errc::invalid_argument, "a command cannot put an object on a condition");
  }

  [[nodiscard]] std::string identity() const override {
    base::Sha256 sha;
    for (const std::string& word : settings_.put) sha.update(fmt::format("{}:{}", word.size(), word));
    return base::to_hex(sha.finish());
  }
  [[nodiscard]] std::string name() const override { return fmt::format("`{}`", settings_.put.front()); }

 private:
  static std::vector<std::string> filled(const std::vector<std::string>& words, const Values& values) {
    std::vector<std::string> result;
    result.reserve(words.size());
    for (const std::string& word : words) result.push_back(fill_in(word, values));
    return result;
  }

  CommandSettings settings_;
};

}  // namespace

std::unique_ptr<ObjectStore> command_store(const CommandSettings& settings) {
  return std::make_unique<CommandStore>(settings);
}

}  // namespace sheaf::objects
