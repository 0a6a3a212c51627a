#include "sheaf/cli/browse/web_browser.h"

#include "sheaf/cli/sites/spawn_attributes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <string>
#include <thread>

namespace sheaf::cli {
namespace {

std::string variable_of(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? std::string() : value;
}

std::string browser_program() {
  if (std::string chosen = variable_of("BROWSER"); !chosen.empty()) return chosen;
  const bool has_desktop = !variable_of("DISPLAY").empty() || !variable_of("WAYLAND_DISPLAY").empty();
  return has_desktop ? "xdg-open" : "";
}

}  // namespace

bool open_in_browser(const std::string& url) {
  std::string program = browser_program();
  if (program.empty()) return false;
  std::string argument = url;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  // The browser must not write to our standard output.
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const SpawnAttributes attributes;
  pid_t child = 0;
  const bool has_started =
      posix_spawnp(&child, program.c_str(), &files, attributes.get(), arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  // The browser may run as long as we do; this thread reaps the child when it ends.
  if (has_started) std::thread([child] { waitpid(child, nullptr, 0); }).detach();
  return has_started;
}

std::string random_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", device());
  return token;
}

}  // namespace sheaf::cli
