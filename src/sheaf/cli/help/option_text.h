#pragma once

#include "sheaf/cli/options/command_line.h"

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class FormatterBase;
}

namespace sheaf::cli {

// Describes options in the same words for --help, the manual pages and docs/commands.

struct OptionText {
  std::string heading;      ///< "-o, --output FILE", "--html fallback|never|only", "FILE..."
  std::string what;         ///< what it does: "threads to use"
  std::string description;  ///< with range and default: "threads to use (1 to 64; default 2)"
  std::vector<std::string> long_names;
  std::vector<std::string> choices;  ///< the accepted words, if only these are accepted
  bool takes_value = false;
};

/// The text below the options of a command, split into its parts.
struct Footer {
  std::vector<std::string> examples;  ///< one command each
  std::string notes;                  ///< sentences; may be empty
  std::string exit_status;            ///< "0 valid, 1 invalid, 2 could not be read."
};

struct CommandText {
  std::string name;
  std::string what;
  std::string synopsis;             ///< "sheaf diff [OPTION]... OLD NEW"
  std::vector<OptionText> options;  ///< arguments, options, and --help last
  Footer footer;
};

[[nodiscard]] CommandText text_of(const Command& command);
[[nodiscard]] std::vector<CommandText> texts_of_subcommands(const Command& program);

/// Makes CLI11 print --help with these texts.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> make_help_formatter();

}  // namespace sheaf::cli
