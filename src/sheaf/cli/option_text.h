#pragma once

#include "sheaf/cli/commands.h"

#include <memory>
#include <string>
#include <vector>

namespace sheaf::cli {

// How options are put into words: the same in --help, in the manual pages and in docs/commands.

[[nodiscard]] bool is_positional(const CLI::Option& option);

/// Arguments, options, and last --help.
[[nodiscard]] std::vector<const CLI::Option*> options_in_order(const CLI::App& command);

/// "-o, --output FILE", "--html fallback|never|only", "FILE...".
[[nodiscard]] std::string option_heading(const CLI::Option& option);

/// The words that it takes, where these are all that it takes: fallback, never, only.
[[nodiscard]] std::vector<std::string> option_choices(const CLI::Option& option);

/// What the option does, with what has to be known of its value: "threads to use (1 to 64; default 2)".
[[nodiscard]] std::string option_description(const CLI::Option& option);

/// "sheaf diff [OPTION]... OLD NEW".
[[nodiscard]] std::string synopsis(const CLI::App& command);

/// The text below the options of a command, in its parts.
struct Footer {
  std::vector<std::string> examples;  ///< a command each
  std::string notes;                  ///< sentences, or nothing
  std::string exit_status;            ///< "0 valid, 1 invalid, 2 could not be read."
};
[[nodiscard]] Footer split_footer(const std::string& footer);

/// Writes --help in these words.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> make_help_formatter();

}  // namespace sheaf::cli
