#include "sheaf/cli/commands.h"
#include "sheaf/cli/option_text.h"
#include "sheaf/cli/terminal.h"
#include "sheaf/cli/version_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>

namespace sheaf::cli {
namespace {

constexpr const char* kFooter =
    "Exit status: 0 yes, 1 no (invalid, refused), 2 could not tell (usage, reading or writing failed).\n"
    "`sheaf COMMAND --help` has the options of a command and an example.";

/// The exit status once all output is out: what never arrived is no answer, whatever the answer was. A reader
/// that went away early (`| head`) knows that itself.
int finish(int status) {
  const bool arrived = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  const int reason = errno;
  if (arrived) return status;
  if (reason != EPIPE) complain(fmt::format("cannot write to standard output: {}", std::strerror(reason)));
  return static_cast<int>(ExitStatus::unknown);
}

/// CLI11 says of an unknown command only that one is required.
std::string explain(const CLI::ParseError& error, const CLI::App& app, int argc, char** argv) {
  if (!app.get_subcommands().empty()) return error.what();
  std::string names;
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty()) names += (names.empty() ? "" : ", ") + command->get_name();
  if (argc < 2) return "no command given; the commands are " + names;
  return fmt::format("no command or option {}; the commands are {}", argv[1], names);
}

int run(int argc, char** argv) {
  CLI::App app{"sheaf: Site Content Protocol collections, read, written and checked"};
  app.name("sheaf");
  app.set_version_flag("--version", version_text, "print the version of sheaf and of its libraries and end");
  app.set_help_flag("-h,--help", "print this help and end");
  app.require_subcommand(1);
  app.footer(kFooter);
  app.formatter(make_help_formatter());  // before the commands, which inherit it
  Job job;
  for (const auto add :
       {add_validate, add_inspect, add_convert, add_diff, add_merge,      add_extract, add_publish,
        add_serve,    add_pull,    add_list,    add_get,  add_export,     add_changes, add_status,
        add_verify,   add_gc,      add_robots,  add_html, add_completion, add_manual})
    add(Command(app), job);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return finish(app.exit(success));
  } catch (const CLI::ParseError& error) {
    complain(explain(error, app, argc, argv));
    write_text(
        stderr,
        fmt::format("Try: sheaf {}--help\n",
                    app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name() + " "));
    return static_cast<int>(ExitStatus::unknown);
  }
  try {
    return finish(static_cast<int>(job()));
  } catch (const std::system_error& error) {  // how fmt reports a failed write
    if (std::ferror(stdout) == 0) throw;
    errno = error.code().value();
    return finish(static_cast<int>(ExitStatus::unknown));
  }
}

}  // namespace
}  // namespace sheaf::cli

int main(int argc, char** argv) {
  // A closed pipe (`sheaf inspect --pages x | head`) shows as a failed write and ends us in order.
  std::signal(SIGPIPE, SIG_IGN);
#if defined(__GLIBC__)
  // Left to itself glibc stops giving large buffers back to the system once some were freed, and what a codec
  // held stays ours while the database needs as much again.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
  try {
    return sheaf::cli::run(argc, argv);
  } catch (const std::exception& error) {
    sheaf::cli::complain(error.what());
    return 2;
  }
}
