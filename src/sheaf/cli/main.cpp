#include "sheaf/cli/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>

namespace sheaf::cli {
namespace {

constexpr const char* kFooter =
    "Exit status: 0 yes, 1 no (invalid, refused), 2 could not tell (usage, reading or writing failed).\n"
    "`sheaf COMMAND --help` has the options of a command and an example.";

int run(int argc, char** argv) {
  CLI::App app{"sheaf: Site Content Protocol collections, read, written and checked"};
  app.name("sheaf");
  app.set_version_flag("--version", "sheaf " SHEAF_VERSION);
  app.require_subcommand(1);
  app.footer(kFooter);
  Job job;
  for (const auto add : {add_validate, add_inspect, add_convert, add_diff, add_merge}) add(app, job);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "sheaf: {}\nTry: sheaf {}--help\n", error.what(),
               app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name() + " ");
    return static_cast<int>(ExitStatus::unknown);
  }
  const ExitStatus status = job();
  // Output that never arrived is no answer, whatever the answer was.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    if (errno != EPIPE) std::perror("sheaf: cannot write to standard output");
    return static_cast<int>(ExitStatus::unknown);
  }
  return static_cast<int>(status);
}

}  // namespace
}  // namespace sheaf::cli

int main(int argc, char** argv) {
  // A closed pipe (`sheaf inspect --pages x | head`) shows as a failed write and ends us in order.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return sheaf::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sheaf: %s\n", error.what());
    return 2;
  }
}
