#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// Declares the options of commands. Hides CLI11, whose header takes seconds to compile: when every command
// included it, the commands took nearly half of the build time.
namespace sheaf::cli {

/// One option of a command. The command owns it. Each function adds a property and returns the option.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option required() const;
  /// Placeholder of the value in help and messages: FILE, N.
  Option value_name(const std::string& name) const;
  /// Shows the current value as the default in the help.
  Option show_default() const;
  Option group(const std::string& title) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  /// Takes one value per occurrence, so that an argument can follow.
  Option one_at_a_time() const;

  // Conditions on the value.
  template <class Number>
  Option within(Number least, Number most) const;
  Option one_of(const std::vector<std::string>& words) const;
  Option not_negative() const;   ///< CLI11 by itself would read -1 as the largest number
  Option change_number() const;  ///< a position in the change feed: 0 or more
  Option size() const;           ///< a number of bytes, also with a unit: 20GiB
  Option existing_folder() const;
  Option header_value() const;  ///< no line ends or other control characters

 private:
  CLI::Option* option_;
};

/// A command, or the program itself, for declaring options.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command subcommand(const std::string& name, const std::string& what) const;
  /// `names` is a list like "-o,--output"; a name without dashes declares a positional argument. The value is
  /// set when the command line is parsed. command_line.cpp instantiates the supported types.
  template <class Value>
  Option option(const std::string& names, Value& value, const std::string& what) const;
  Option flag(const std::string& name, bool& value, const std::string& what) const;
  Option flag(const std::string& name, std::function<void()> action, const std::string& what) const;
  void footer(const std::string& text) const;
  /// Hides a command for developers from the short help.
  void hide() const;
  /// Sets the function that is called when the command's options have been parsed.
  void on_call(std::function<void()> action) const;

  /// The options that were given, each with its values as typed.
  using Given = std::vector<std::pair<std::string, std::vector<std::string>>>;
  [[nodiscard]] Given given() const;

  [[nodiscard]] const CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;
};

}  // namespace sheaf::cli
