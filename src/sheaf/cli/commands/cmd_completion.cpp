#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/help/option_text.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {
namespace {

std::string first_sentence(std::string text) {
  text = text.substr(0, text.find_first_of(";:("));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// What shell completion needs to know about one command.
struct Completion {
  std::string name;
  std::string description;
  struct Option {
    std::string name;  ///< --json
    std::string description;
    bool takes_value = false;
    std::vector<std::string> choices;  ///< accepted values; empty if any value is accepted
  };
  std::vector<Option> options;
};

std::vector<Completion> describe_commands(const Command& program) {
  std::vector<Completion> commands;
  for (const CommandText& command : texts_of_subcommands(program)) {
    Completion completion{command.name, command.what, {}};
    for (const OptionText& option : command.options)
      for (const std::string& name : option.long_names)
        completion.options.push_back(
            {"--" + name, first_sentence(option.what), option.takes_value, option.choices});
    commands.push_back(std::move(completion));
  }
  return commands;
}

std::string joined(const std::vector<Completion::Option>& options) {
  std::string text;
  for (const Completion::Option& option : options) text += (text.empty() ? "" : " ") + option.name;
  return text;
}

std::string for_bash(const std::vector<Completion>& commands) {
  std::string names;
  std::string cases;
  std::string values;
  for (const Completion& command : commands) {
    names += command.name + " ";
    cases += fmt::format("      {}) words=\"{}\" ;;\n", command.name, joined(command.options));
    for (const Completion::Option& option : command.options)
      if (!option.choices.empty())
        values += fmt::format("    {}{}) words=\"{}\" ;;\n", command.name, option.name,
                              fmt::join(option.choices, " "));
  }
  return fmt::format(R"(_sheaf() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "{}--help --version" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}}${{COMP_WORDS[COMP_CWORD - 1]}} in
{}  esac
  if [ -z "$words" ]; then
    [ "${{word#-}}" != "$word" ] || return
    case ${{COMP_WORDS[1]}} in
{}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _sheaf sheaf
)",
                     names, values, cases);
}

/// Returns the text in single quotes, in a form that both zsh and fish read.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

/// Escapes brackets and colons, which _arguments would interpret.
std::string escaped_for_zsh(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_value(const Completion::Option& option) {
  if (!option.takes_value) return {};
  return option.choices.empty() ? ":value:_files"
                                : fmt::format(":value:({})", fmt::join(option.choices, " "));
}

std::string for_zsh(const std::vector<Completion>& commands) {
  std::string names;
  std::string cases;
  for (const Completion& command : commands) {
    names += fmt::format("    {}\n", in_quotes(command.name + ":" + escaped_for_zsh(command.description)));
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const Completion::Option& option : command.options)
      cases += fmt::format(" \\\n        {}",
                           in_quotes(fmt::format("*{}[{}]{}", option.name,
                                                 escaped_for_zsh(option.description), zsh_value(option))));
    cases += " \\\n        '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef sheaf
_sheaf() {{
  local -a commands=(
{})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_sheaf "$@"
)",
                     names, cases);
}

std::string fish_value(const Completion::Option& option) {
  if (!option.takes_value) return {};
  return option.choices.empty() ? "-r " : fmt::format("-x -a '{}' ", fmt::join(option.choices, " "));
}

std::string for_fish(const std::vector<Completion>& commands) {
  std::string text;
  for (const Completion& command : commands)
    text += fmt::format("complete -c sheaf -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        in_quotes(command.description));
  for (const Completion& command : commands)
    for (const Completion::Option& option : command.options)
      text +=
          fmt::format("complete -c sheaf -n '__fish_seen_subcommand_from {}' -l {} {}-d {}\n", command.name,
                      option.name.substr(2), fish_value(option), in_quotes(option.description));
  return text;
}

}  // namespace

void add_completion(const Command& program, Job& job) {
  auto shell = std::make_shared<std::string>();
  const Command command = program.subcommand("completion", "Print a completion script for bash, zsh or fish");
  command.option("SHELL", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  command.footer(
      "Example: sheaf completion bash > ~/.local/share/bash-completion/completions/sheaf\n"
      "Exit status: 0 printed, 2 unknown shell.");
  command.on_call([shell, program, &job] {
    job = [shell, program] {
      const auto commands = describe_commands(program);
      print_text("{}", *shell == "bash"  ? for_bash(commands)
                       : *shell == "zsh" ? for_zsh(commands)
                                         : for_fish(commands));
      return ExitStatus::yes;
    };
  });
}

}  // namespace sheaf::cli
