#include "sheaf/cli/options/command_line.h"

#include "sheaf/http/message/message.h"
#include "sheaf/store/page_store.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace sheaf::cli {
namespace {

std::string refuse_sign(std::string& text) {
  return text.starts_with('-') ? "must not be negative, found " + text : std::string();
}

/// --since takes a time in most commands, so the message says that this one takes the number of a change.
std::string refuse_time(std::string& text) {
  return store::FeedCursor::parse(text)
             ? std::string()
             : "takes the number of a change, as `sheaf changes` shows it, or 0; found " + text;
}

/// A line end would begin another header. The value is not shown: it would break the message too.
std::string refuse_controls(std::string& text) {
  return http::message::is_field_value(text) ? std::string()
                                             : "must not have line ends or other control characters";
}

/// Formats a number: 1000000, not 1e+06.
template <class Number>
std::string number_text(Number number) {
  if constexpr (std::is_floating_point_v<Number>) return fmt::format("{:.10g}", number);
  return fmt::format("{}", number);
}

/// Used instead of CLI11's validator, whose messages differ between versions. option_text.cpp reads the
/// description.
template <class Number>
CLI::Validator range_of(Number least, Number most) {
  const std::string first = number_text(least);
  const std::string last = number_text(most);
  return {[=](const std::string& text) {
            Number number{};
            const bool within = CLI::detail::lexical_cast(text, number) && number >= least && number <= most;
            return within ? std::string()
                          : fmt::format("takes a number from {} to {}; found {}", first, last, text);
          },
          fmt::format("{} in [{} - {}]", CLI::detail::type_name<Number>(), first, last)};
}

}  // namespace

Option Option::required() const { return Option(*option_->required()); }
Option Option::value_name(const std::string& name) const { return Option(*option_->type_name(name)); }
Option Option::show_default() const { return Option(*option_->capture_default_str()); }
Option Option::group(const std::string& title) const { return Option(*option_->group(title)); }
Option Option::needs(Option other) const { return Option(*option_->needs(other.option_)); }
Option Option::excludes(Option other) const { return Option(*option_->excludes(other.option_)); }
Option Option::one_at_a_time() const { return Option(*option_->allow_extra_args(false)); }

template <class Number>
Option Option::within(Number least, Number most) const {
  return Option(*option_->check(range_of(least, most)));
}
template Option Option::within(int, int) const;
template Option Option::within(unsigned, unsigned) const;
template Option Option::within(std::uint64_t, std::uint64_t) const;
template Option Option::within(double, double) const;

Option Option::one_of(const std::vector<std::string>& words) const {
  return Option(*option_->check(CLI::IsMember(words)));
}
Option Option::not_negative() const { return Option(*option_->check(CLI::Validator(refuse_sign, ""))); }
Option Option::change_number() const { return Option(*option_->check(CLI::Validator(refuse_time, ""))); }
Option Option::size() const {
  option_->transform(CLI::AsSizeValue(false));
  return Option(
      *option_->transform(CLI::Validator(refuse_sign, "")));  // CLI11 calls the last transform first
}
Option Option::existing_folder() const {
  CLI::Validator check = CLI::ExistingDirectory;
  return Option(*option_->check(check.description("")));  // the placeholder says that it is a folder
}

Option Option::header_value() const { return Option(*option_->check(CLI::Validator(refuse_controls, ""))); }

Command Command::subcommand(const std::string& name, const std::string& what) const {
  return Command(*app_->add_subcommand(name, what));
}

template <class Value>
Option Command::option(const std::string& names, Value& value, const std::string& what) const {
  return Option(*app_->add_option(names, value, what));
}
template Option Command::option(const std::string&, std::string&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<std::string>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&) const;
template Option Command::option(const std::string&, std::filesystem::path&, const std::string&) const;
template Option Command::option(const std::string&, unsigned&, const std::string&) const;
template Option Command::option(const std::string&, std::uint64_t&, const std::string&) const;
template Option Command::option(const std::string&, double&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<int>&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<std::uint64_t>&, const std::string&) const;

Option Command::flag(const std::string& name, bool& value, const std::string& what) const {
  return Option(*app_->add_flag(name, value, what));
}
Option Command::flag(const std::string& name, std::function<void()> action, const std::string& what) const {
  return Option(*app_->add_flag_callback(name, std::move(action), what));
}
void Command::footer(const std::string& text) const { app_->footer(text); }
void Command::hide() const { app_->group(""); }
Command::Given Command::given() const {
  Given given;
  for (const CLI::Option* option : app_->get_options())
    if (option->count() > 0) given.emplace_back(option->get_name(), option->results());
  return given;
}
void Command::on_call(std::function<void()> action) const { app_->callback(std::move(action)); }

}  // namespace sheaf::cli
