#include "sheaf/base/component.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/help/option_text.h"
#include "sheaf/cli/help/suggestion.h"
#include "sheaf/cli/help/version_text.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace sheaf::cli {
namespace {

constexpr const char* kFooter =
    "Exit status: 0 yes, 1 no (invalid, refused), 2 could not tell (usage, reading or writing failed).\n"
    "`sheaf COMMAND --help` shows the options of a command and an example.";

/// Flushes the output and returns the exit status: 2 if not everything could be written. There is no message
/// if the reader closed the pipe early (`| head`).
int finish(int status) {
  const bool arrived = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  const int reason = errno;
  if (arrived) return status;
  if (reason != EPIPE)
    print_message(fmt::format("cannot write to standard output: {}", std::strerror(reason)));
  return static_cast<int>(ExitStatus::unknown);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// Returns "; did you mean --since?", or an empty text.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words) {
  const auto word = nearest_word(typed, words);
  return word ? fmt::format("; did you mean {}?", *word) : std::string();
}

std::string explain_unknown_option(const std::string& argument, const CLI::App& command) {
  const std::string name = argument.substr(0, argument.find('='));
  return fmt::format("there is no option {}{}", name, did_you_mean(name, option_names(command)));
}

std::string explain_unknown_command(const std::string& name, const CLI::App& app) {
  const auto names = command_names(app);
  if (name.starts_with('-')) {
    const std::string hint = did_you_mean(name, option_names(app));
    if (!hint.empty()) return fmt::format("there is no option {}{}", name, hint);
  }
  const std::string hint = did_you_mean(name, names);
  return fmt::format("there is no command {}{}", name,
                     hint.empty() ? fmt::format("; the commands are {}", fmt::join(names, ", ")) : hint);
}

/// Reports a misspelt option first, because CLI11 would report the option that was meant as missing.
std::string explain(const CLI::ParseError& error, const CLI::App& app, int argc, char** argv) {
  if (argc < 2)
    return fmt::format("no command given; the commands are {}", fmt::join(command_names(app), ", "));
  if (app.get_subcommands().empty()) return explain_unknown_command(argv[1], app);
  const std::vector<std::string> unexpected = app.remaining(true);
  for (const std::string& argument : unexpected)
    if (argument.size() > 1 && argument.starts_with('-'))
      return explain_unknown_option(argument, *app.get_subcommands().front());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !unexpected.empty())
    return fmt::format("unexpected argument {}", unexpected.front());
  const std::string_view text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && text.ends_with(" missing"))
    return fmt::format("{} needs a value", text.substr(0, text.find(':')));
  return std::string(text);
}

/// Opens standard streams that are closed. Otherwise the next file that is opened would take their numbers,
/// and messages would be written into it. Standard input and output are opened the wrong way round, so using
/// them still fails.
void open_missing_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF)
      (void)open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}

constexpr std::string_view kTooManyThreads =
    "cannot start a thread: the limit on tasks is reached (ulimit -u, TasksMax): raise it, or use fewer "
    "--threads";

/// Reports an exception that ends the program, without allocating memory if there is none.
void report_exception(const std::exception& exception) {
  const auto* failure = dynamic_cast<const std::system_error*>(&exception);
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr)
    print_out_of_memory();
  else if (failure != nullptr && failure->code() == std::errc::resource_unavailable_try_again)
    print_message(kTooManyThreads);
  else
    print_message(exception.what());
}

/// Ends the program because of an exception on another thread, as main() does for its own.
[[noreturn]] void end_program() {
  if (const std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& exception) {
      report_exception(exception);
      _exit(static_cast<int>(ExitStatus::unknown));
    } catch (...) {
      std::abort();
    }
  } else if (std::uncaught_exceptions() > 0) {
    // RocksDB destroys threads that it has started without joining them if it cannot start another.
    print_message(kTooManyThreads);
    _exit(static_cast<int>(ExitStatus::unknown));
  }
  std::abort();
}

/// Where a command is: in the program, or in a part that finds it by its name.
struct Place {
  std::string_view command;
  AddCommand* add = nullptr;
  const base::Component* part = nullptr;
  AddCommand* (*linked)(std::string_view name) = nullptr;
  const char* function = nullptr;
};
constexpr Place here(std::string_view command, AddCommand* add) { return {command, add}; }
Place in_sites(std::string_view command) {
  return {command, nullptr, &kSitesPart, sheaf_site_command, "sheaf_site_command"};
}
Place in_browse(std::string_view command) {
  return {command, nullptr, &kBrowsePart, sheaf_browse_command, "sheaf_browse_command"};
}
Place in_doctor(std::string_view command) {
  return {command, nullptr, &kDoctorPart, sheaf_doctor_command, "sheaf_doctor_command"};
}

/// All commands, in the order of the help.
std::vector<Place> places() {
  return {here("validate", add_validate),
          here("inspect", add_inspect),
          here("convert", add_convert),
          here("diff", add_diff),
          here("merge", add_merge),
          here("extract", add_extract),
          in_sites("publish"),
          in_sites("keys"),
          in_sites("serve"),
          in_sites("report"),
          in_sites("pull"),
          in_sites("list"),
          in_sites("get"),
          in_sites("export"),
          in_sites("changes"),
          in_sites("status"),
          in_sites("verify"),
          in_sites("drop"),
          in_sites("gc"),
          in_sites("index"),
          in_sites("grep"),
          in_sites("search"),
          in_browse("browse"),
          in_browse("mcp"),
          in_sites("identity"),
          in_sites("store"),
          in_doctor("doctor"),
          in_doctor("lab"),
          here("robots", add_robots),
          here("html", add_html),
          here("completion", add_completion),
          here("manual", add_manual)};
}

base::Result<AddCommand*> find_command(const Place& place) {
  if (place.add != nullptr) return place.add;
  base::Component part = *place.part;
  const std::string use = fmt::format("`sheaf {}`", place.command);
  part.use = use.c_str();
  SHEAF_TRY_ASSIGN(auto* const find, base::find_component(place.linked, part, place.function));
  return find(place.command);
}

/// Adds the command that is called, so that only its part is loaded. Adds all commands for help, for a
/// mistyped command, and for the commands that describe all others. Parts that are not installed are then
/// left out.
base::Result<void> add_commands(const Command& program, Job& job, std::string_view called) {
  const std::vector<Place> all = places();
  const auto found = std::ranges::find(all, called, &Place::command);
  if (found != all.end() && called != "completion" && called != "manual") {
    SHEAF_TRY_ASSIGN(auto* const add, find_command(*found));
    add(program, job);
    return {};
  }
  for (const Place& place : all)
    if (const auto add = find_command(place)) (*add)(program, job);
  return {};
}

std::string all_versions() {
  const auto versions = base::find_component(sheaf_site_versions, kSitesPart, "sheaf_site_versions");
  return version_text() + (versions ? ", " + (*versions)() : std::string());
}

int run(int argc, char** argv) {
  CLI::App app{"sheaf: publish, serve, pull and check Site Content Protocol collections"};
  app.name("sheaf");
  app.set_version_flag("--version", all_versions, "print the versions of sheaf and its libraries, and exit");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.require_subcommand(1);
  app.footer(kFooter);
  app.formatter(make_help_formatter());  // before the commands, which inherit it
  Job job;
  if (const auto added = add_commands(Command(app), job, argc > 1 ? argv[1] : ""); !added)
    return static_cast<int>(report_failure(added.error()));
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return finish(app.exit(success));
  } catch (const CLI::ParseError& error) {
    print_message(explain(error, app, argc, argv));
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
  // A closed pipe (`sheaf inspect --pages x | head`) and a file that is too large (`ulimit -f`) are failed
  // writes, not signals.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  sheaf::cli::open_missing_streams();
  std::set_terminate(sheaf::cli::end_program);
#if defined(__GLIBC__)
  // By default glibc stops returning large buffers to the system after some of them were freed. A codec's
  // memory would then stay allocated while the database needs as much again.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
  try {
    return sheaf::cli::run(argc, argv);
  } catch (const std::exception& error) {
    sheaf::cli::report_exception(error);
    return 2;
  }
}
