#include "sheaf/base/file.h"
#include "sheaf/cli/commands.h"
#include "sheaf/cli/output_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

namespace sheaf::cli {
namespace {

/// Text as roff has it: no control lines, no escapes of its own.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c; });
  return text;
}

std::string heading(const std::string& page, std::string_view what) {
  return fmt::format(".TH {} 1 \"\" \"sheaf {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", upper(page),
                     SHEAF_VERSION, roff(page), roff(what));
}

/// "--json", "-o, --output FILE".
std::string names_of(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  if (option.get_positional() && names.empty()) names = option.get_name(true);
  return names;
}

std::string describe_options(const CLI::App& command, bool positional) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if ((option->get_lnames().empty() && option->get_snames().empty()) != positional) continue;
    const bool value = !positional && option->get_items_expected_max() > 0;
    text += fmt::format(".TP\n.B {}{}\n{}{}\n", roff(names_of(*option)), value ? " \\fIVALUE\\fR" : "",
                        roff(option->get_description()),
                        option->get_default_str().empty()
                            ? ""
                            : fmt::format(" (default {})", roff(option->get_default_str())));
  }
  return text;
}

/// The footer has examples first and then what the exit status means, one sentence or command a line.
std::string describe_footer(const std::string& footer) {
  std::string text;
  for (std::size_t at = 0; at < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', at), footer.size());
    std::string_view line = std::string_view(footer).substr(at, end - at);
    at = end + 1;
    constexpr std::string_view kExample = "Example: ";
    const bool first = line.starts_with(kExample);
    const bool more = line.starts_with("         ");
    if (first) text += ".SH EXAMPLES\n";
    if (first || more) {
      text += fmt::format(".nf\n{}\n.fi\n", roff(line.substr(kExample.size())));
    } else {
      text += fmt::format(".PP\n{}\n", roff(line));
    }
  }
  return text;
}

std::string manual_of(const CLI::App& command) {
  const std::string page = "sheaf-" + command.get_name();
  std::string operands;
  for (const CLI::Option* option : command.get_options())
    if (option->get_lnames().empty() && option->get_snames().empty())
      operands += " \\fI" + roff(option->get_name(true)) + "\\fR";
  std::string text = heading(page, command.get_description());
  text +=
      fmt::format(".SH SYNOPSIS\n.B sheaf {}\n[\\fIOPTION\\fR]...{}\n", roff(command.get_name()), operands);
  if (const std::string list = describe_options(command, true); !list.empty())
    text += ".SH ARGUMENTS\n" + list;
  text += ".SH OPTIONS\n" + describe_options(command, false);
  text += describe_footer(command.get_footer());
  return text + ".SH SEE ALSO\n.BR sheaf (1)\n";
}

std::string manual_of_all(const CLI::App& app) {
  std::string text =
      heading("sheaf", "Site Content Protocol collections: published, served, pulled and checked");
  text += ".SH SYNOPSIS\n.B sheaf\n\\fICOMMAND\\fR [\\fIOPTION\\fR]...\n.SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({}))
    text += fmt::format(".TP\n.BR sheaf\\-{} (1)\n{}\n", roff(command->get_name()),
                        roff(command->get_description()));
  return text +
         ".SH EXIT STATUS\n0 yes, 1 no (invalid, refused), 2 could not tell (usage, reading or writing "
         "failed).\n";
}

struct Options {
  std::string command;
  std::string all;
};

base::Result<void> write_page(const std::filesystem::path& file, const std::string& text) {
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(file));
  SHEAF_TRY(out.write(text));
  return out.commit();
}

base::Result<void> write_all(const CLI::App& app, const std::filesystem::path& folder) {
  SHEAF_TRY(write_page(folder / "sheaf.1", manual_of_all(app)));
  for (const CLI::App* command : app.get_subcommands({}))
    SHEAF_TRY(write_page(folder / fmt::format("sheaf-{}.1", command->get_name()), manual_of(*command)));
  return {};
}

ExitStatus run(const CLI::App& app, const Options& options) {
  if (!options.all.empty()) {
    const auto written = write_all(app, options.all);
    return written ? ExitStatus::yes : report_failure(written.error());
  }
  if (options.command.empty()) {
    fmt::print("{}", manual_of_all(app));
    return ExitStatus::yes;
  }
  const auto commands = app.get_subcommands({});
  const auto found = std::ranges::find_if(
      commands, [&](const CLI::App* each) { return each->get_name() == options.command; });
  if (found == commands.end())
    return report_failure(
        {base::Errc::invalid_argument,
         fmt::format("there is no command {}; `sheaf manual` lists them", options.command)});
  fmt::print("{}", manual_of(**found));
  return ExitStatus::yes;
}

}  // namespace

void add_manual(CLI::App& app, Job& job) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("manual", "Print the manual page of sheaf, or of one of its commands");
  auto* name =
      command->add_option("COMMAND", options->command, "a command; without one, the page that lists them");
  command->add_option("--all", options->all, "write every page as a file into this folder")->excludes(name);
  command->footer("Example: sheaf manual pull | man -l -");
  command->callback([options, &app, &job] { job = [options, &app] { return run(app, *options); }; });
}

}  // namespace sheaf::cli
