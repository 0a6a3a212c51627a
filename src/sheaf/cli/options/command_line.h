#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// What commands say of their options. CLI11 stays behind it: a header that takes seconds to compile, which
// otherwise every command would pay for.
namespace sheaf::cli {

/// One option of a command, which keeps it. Each function says more of it and hands it on.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option required() const;
  /// What stands for its value in the help and in messages: FILE, N.
  Option value_name(const std::string& name) const;
  /// The help tells the value that it has now as its default.
  Option show_default() const;
  Option group(const std::string& title) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  /// One value each time it is given, so that what follows can be something else.
  Option one_at_a_time() const;

  // What its value must be.
  template <class Number>
  Option within(Number least, Number most) const;
  Option one_of(std::initializer_list<std::string> words) const;
  Option not_negative() const;   ///< by itself CLI11 reads -1 as the largest number there is
  Option change_number() const;  ///< of the change feed: 0 or more
  Option size() const;           ///< a number of bytes, also as 20GiB
  Option existing_folder() const;

 private:
  CLI::Option* option_;
};

/// A command, or the program itself, as far as options are concerned.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command subcommand(const std::string& name, const std::string& what) const;
  /// `names` as "-o,--output"; without dashes, an argument. The value is written to when the command line is
  /// read. Which types there are is said in command_line.cpp.
  template <class Value>
  Option option(const std::string& names, Value& value, const std::string& what) const;
  Option flag(const std::string& name, bool& value, const std::string& what) const;
  Option flag(const std::string& name, std::function<void()> action, const std::string& what) const;
  void footer(const std::string& text) const;
  /// Not in the short help: for developers.
  void hide() const;
  /// What to do once its options have been read.
  void on_call(std::function<void()> action) const;

  /// The options that were given, each with its values as they were typed.
  using Given = std::vector<std::pair<std::string, std::vector<std::string>>>;
  [[nodiscard]] Given given() const;

  [[nodiscard]] const CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;
};

}  // namespace sheaf::cli
