#include "sheaf/base/file.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/help/manual_text.h"
#include "sheaf/cli/help/option_text.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

namespace sheaf::cli {
namespace {

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c; });
  return text;
}

std::string heading(const std::string& page, std::string_view what) {
  return fmt::format(".TH {} 1 \"\" \"sheaf {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", upper(page),
                     SHEAF_VERSION, roff(page), roff(what));
}

std::string roff_of_options(const CommandText& command) {
  std::string text;
  for (const OptionText& option : command.options)
    text += fmt::format(".TP\n.B {}\n{}\n", roff(option.heading), roff(option.description));
  return text + ".PP\n";
}

/// Combines the command's own help with its page in docs/commands.
std::string manual_of(const CommandText& command) {
  const std::string page = "sheaf-" + command.name;
  const Footer& footer = command.footer;
  std::string text = heading(page, command.what);
  text += fmt::format(".SH SYNOPSIS\n.B {}\n", roff(command.synopsis));
  bool has_options = false;
  for (const PagePart& part : split_page(command_page(command.name))) {
    if (part.title == "Exit status" || part.title == "See also") continue;
    text += part.title.empty() ? ".SH DESCRIPTION\n" : fmt::format(".SH {}\n", upper(roff(part.title)));
    if (part.title == "ManualOptions") {
      has_options = true;
      text += roff_of_options(command);
      if (!footer.notes.empty()) text += roff(footer.notes) + "\n";
    }
    text += roff_from_markdown(part.text);
  }
  if (!has_options) text += ".SH OPTIONS\n" + roff_of_options(command);
  text += ".SH EXAMPLES\n";
  for (const std::string& example : footer.examples) text += roff_lines(example);
  text += fmt::format(".SH EXIT STATUS\n{}\n", roff(footer.exit_status));
  return text + ".SH SEE ALSO\n.BR sheaf (1),\nand the book below /usr/share/doc/sheaf/docs\n";
}

std::string manual_of_all(const Command& program) {
  std::string text = heading("sheaf", "publish, serve, pull and check Site Content Protocol collections");
  text += ".SH SYNOPSIS\n.B sheaf\n\\fICOMMAND\\fR [\\fIOPTION\\fR]...\n.SH OPTIONS\n" +
          roff_of_options(text_of(program)) + ".SH COMMANDS\n";
  for (const CommandText& command : texts_of_subcommands(program))
    text += fmt::format(".TP\n.BR sheaf\\-{} (1)\n{}\n", roff(command.name), roff(command.what));
  for (const PagePart& part : split_page(command_page("README")))
    if (!part.title.empty() && part.title != "Commands")
      text += fmt::format(".SH {}\n{}", upper(roff(part.title)), roff_from_markdown(part.text));
  return text + ".SH SEE ALSO\nThe book below /usr/share/doc/sheaf/docs\n";
}

/// Escapes text for a table cell.
std::string escaped_for_markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '<' || c == '[') out += '\\';
    out += c;
  }
  return out;
}

std::string in_code(std::string_view text) {
  std::string out = "`";
  for (const char c : text) {
    if (c == '|') out += '\\';  // it ends a table cell, even inside code
    out += c;
  }
  return out + "`";
}

/// The generated parts of the command's page in docs/commands, between the marks that
/// tests/tools/command_pages.py looks for.
std::string markdown_of(const CommandText& command) {
  const Footer& footer = command.footer;
  std::string text =
      fmt::format("<!-- options -->\n    {}\n\n| option | |\n| --- | --- |\n", command.synopsis);
  for (const OptionText& option : command.options)
    text += fmt::format("| {} | {} |\n", in_code(option.heading), escaped_for_markdown(option.description));
  if (!footer.notes.empty()) text += fmt::format("\n{}\n", escaped_for_markdown(footer.notes));
  return text + fmt::format("<!-- /options -->\n<!-- exit status -->\n{}\n<!-- /exit status -->\n",
                            escaped_for_markdown(footer.exit_status));
}

struct ManualOptions {
  std::string command;
  std::string all;
  bool markdown = false;
};

base::Result<void> write_page(const std::filesystem::path& file, const std::string& text) {
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(file));
  SHEAF_TRY(out.write(text));
  return out.commit();
}

base::Result<void> write_all(const Command& program, const std::filesystem::path& folder) {
  SHEAF_TRY(write_page(folder / "sheaf.1", manual_of_all(program)));
  for (const CommandText& command : texts_of_subcommands(program))
    SHEAF_TRY(write_page(folder / fmt::format("sheaf-{}.1", command.name), manual_of(command)));
  return {};
}

ExitStatus run(const Command& program, const ManualOptions& options) {
  if (!options.all.empty()) {
    const auto written = write_all(program, options.all);
    return written ? ExitStatus::yes : report_failure(written.error());
  }
  if (options.command.empty()) {
    print_text("{}", manual_of_all(program));
    return ExitStatus::yes;
  }
  const auto commands = texts_of_subcommands(program);
  const auto found = std::ranges::find(commands, options.command, &CommandText::name);
  if (found == commands.end())
    return report_failure(
        {base::Errc::invalid_argument,
         fmt::format("there is no command {}; `sheaf manual` lists them", options.command)});
  print_text("{}", options.markdown ? markdown_of(*found) : manual_of(*found));
  return ExitStatus::yes;
}

}  // namespace

void add_manual(const Command& program, Job& job) {
  auto options = std::make_shared<ManualOptions>();
  const Command command =
      program.subcommand("manual", "Print the manual page of sheaf, or of one of its commands");
  const Option name =
      command.option("COMMAND", options->command, "a command; default: the page that lists all commands");
  command.option("--all", options->all, "write every page as a file to this folder")
      .value_name("DIR")
      .excludes(name);
  command
      .flag("--markdown", options->markdown,
            "print the options and exit status of COMMAND as Markdown, for its page in docs/commands")
      .needs(name);
  command.footer(
      "Example: sheaf manual pull | man -l -\n"
      "Exit status: 0 printed, 2 unknown command, or a file could not be written.");
  command.on_call([options, program, &job] { job = [options, program] { return run(program, *options); }; });
}

}  // namespace sheaf::cli
