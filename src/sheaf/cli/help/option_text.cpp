#include "sheaf/cli/help/option_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

namespace sheaf::cli {
namespace {

/// Returns the text between two marks, or an empty text. CLI11 keeps what it knows about a value only as
/// text: "UINT:SIZE [b, kb(=1024b), ...]:UINT in [1 - 64]", "TEXT:{bash,zsh,fish}".
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t start = text.find(before);
  if (start == std::string_view::npos) return {};
  text.remove_prefix(start + before.size());
  const std::size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
}

bool is_size(const CLI::Option& option) { return option.get_type_name().find("SIZE") != std::string::npos; }

bool is_positional(const CLI::Option& option) {
  return option.get_lnames().empty() && option.get_snames().empty();
}

std::vector<std::string> option_choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string_view members = between(type, "{", "}");
  return members.empty() ? std::vector<std::string>() : CLI::detail::split(std::string(members), ',');
}

/// Returns the placeholder of the value: "FILE", "N", "bash|zsh|fish"; empty for a flag.
std::string value_name(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  if (const auto choices = option_choices(option); !choices.empty())
    return fmt::format("{}", fmt::join(choices, "|"));
  if (is_size(option)) return "SIZE";
  const std::string type = option.get_type_name();
  // CLI11 appends what the checks of a value accept: "N:UINT in [1 - 64]". A placeholder may have a colon
  // too: "HOST=ADDRESS:PORT".
  const bool has_checks = type.find_first_of(" [{") != std::string::npos;
  std::string name = has_checks ? type.substr(0, type.find(':')) : type;
  if (name == "UINT" || name == "INT") return "N";
  return name;
}

/// Formats 53687091200 as "50 GiB".
std::string round_size(const std::string& digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  constexpr std::array<std::string_view, 4> kUnits = {" bytes", " KiB", " MiB", " GiB"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && value != 0 && value % 1024 == 0) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", value, kUnits[unit]);
}

std::string names(const std::set<CLI::Option*>& options) {
  std::vector<std::string> sorted;
  sorted.reserve(options.size());
  for (const CLI::Option* option : options) sorted.push_back(option->get_name());
  std::ranges::sort(sorted);  // the set is sorted by pointers
  return fmt::format("{}", fmt::join(sorted, ", "));
}

std::string join_lines(const std::string& first, std::string_view second) {
  return first.empty() ? std::string(second) : fmt::format("{} {}", first, second);
}

std::string option_heading(const CLI::Option& option) {
  if (is_positional(option)) {
    return option.get_name(true) + (option.get_expected_max() > 1 ? "..." : "");
  }
  std::string text;
  for (const std::string& name : option.get_snames()) text += (text.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) text += (text.empty() ? "--" : ", --") + name;
  const std::string value = value_name(option);
  return value.empty() ? text : text + " " + value;
}

std::string option_description(const CLI::Option& option) {
  std::vector<std::string> notes;
  if (option.get_required() && !is_positional(option)) notes.emplace_back("required");
  const std::string type = option.get_type_name();
  if (const std::string_view range = between(type, " in [", "]"); !range.empty() && !is_size(option)) {
    const std::size_t dash = range.find(" - ");
    notes.push_back(fmt::format("{} to {}", range.substr(0, dash), range.substr(dash + 3)));
  }
  if (const std::string value = option.get_default_str(); !value.empty())
    notes.push_back("default " + (is_size(option) ? round_size(value) : value));
  if (!option.get_needs().empty()) notes.push_back("needs " + names(option.get_needs()));
  if (!option.get_excludes().empty()) notes.push_back("not with " + names(option.get_excludes()));
  if (notes.empty()) return option.get_description();
  return fmt::format("{} ({})", option.get_description(), fmt::join(notes, "; "));
}

std::vector<const CLI::Option*> options_in_order(const CLI::App& command) {
  std::vector<const CLI::Option*> ordered = command.get_options();
  const auto place = [&](const CLI::Option* option) {
    return is_positional(*option) ? 0 : option == command.get_help_ptr() ? 2 : 1;
  };
  std::ranges::stable_sort(ordered, {}, place);
  return ordered;
}

std::string synopsis(const CLI::App& command) {
  const bool is_program = command.get_parent() == nullptr;
  std::string text =
      is_program ? "sheaf COMMAND [OPTION]..." : "sheaf " + command.get_name() + " [OPTION]...";
  for (const CLI::Option* option : options_in_order(command)) {
    if (!is_positional(*option)) break;
    const std::string name = option_heading(*option);
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  return text;
}

Footer split_footer(const std::string& footer) {
  constexpr std::string_view kExample = "Example: ";
  constexpr std::string_view kMore = "         ";
  constexpr std::string_view kStatus = "Exit status: ";
  Footer parts;
  for (std::size_t at = 0; at < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', at), footer.size());
    const std::string_view line = std::string_view(footer).substr(at, end - at);
    at = end + 1;
    if (line.starts_with(kExample) || line.starts_with(kMore)) {
      parts.examples.emplace_back(line.substr(kExample.size()));
    } else if (line.starts_with(kStatus)) {
      parts.exit_status = line.substr(kStatus.size());
    } else if (!parts.exit_status.empty()) {
      parts.exit_status = join_lines(parts.exit_status, line);
    } else {
      parts.notes = join_lines(parts.notes, line);
    }
  }
  return parts;
}

OptionText text_of(const CLI::Option& option) {
  return {option_heading(option), option.get_description(), option_description(option),
          option.get_lnames(),    option_choices(option),   option.get_items_expected_max() > 0};
}

CommandText text_of(const CLI::App& command) {
  CommandText text{command.get_name(),
                   command.get_description(),
                   synopsis(command),
                   {},
                   split_footer(command.get_footer())};
  for (const CLI::Option* option : options_in_order(command)) text.options.push_back(text_of(*option));
  return text;
}

class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool) const override {
    return option_heading(*option);
  }
  std::string make_option_opts(const CLI::Option*) const override { return {}; }
  std::string make_option_desc(const CLI::Option* option) const override {
    return option_description(*option);
  }
  std::string make_usage(const CLI::App* app, std::string) const override {
    return fmt::format("Usage: {}\n", synopsis(*app));
  }
};

}  // namespace

CommandText text_of(const Command& command) { return text_of(command.app()); }

std::vector<CommandText> texts_of_subcommands(const Command& program) {
  std::vector<CommandText> texts;
  for (const CLI::App* command : program.app().get_subcommands({})) texts.push_back(text_of(*command));
  return texts;
}

std::shared_ptr<CLI::FormatterBase> make_help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace sheaf::cli
