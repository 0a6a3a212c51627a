#include "sheaf/site/usage_preferences.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/url.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace sheaf::site {
namespace {

constexpr std::size_t kMaxUsageBytes = 1'000;
constexpr std::size_t kMaxUsageLines = 100;

struct RobotsLine {
  std::string_view text;  ///< with its line end
  std::string_view key = {};
  std::string_view value = {};

  [[nodiscard]] bool is(std::string_view name) const { return same_letters(key, name); }
  [[nodiscard]] bool is_usage() const { return is("content-usage") || is("content-signal"); }
};

std::vector<RobotsLine> split_robots_lines(std::string_view robots) {
  std::vector<RobotsLine> lines;
  while (!robots.empty()) {
    const std::size_t end = robots.find('\n');
    RobotsLine line{.text = robots.substr(0, end == std::string_view::npos ? end : end + 1)};
    const std::string_view record =
        base::trim_xml_space(line.text.substr(0, line.text.find_first_of("#\r\n")));
    if (const std::size_t colon = record.find(':'); colon != std::string_view::npos) {
      line.key = base::trim_xml_space(record.substr(0, colon));
      line.value = base::trim_xml_space(record.substr(colon + 1));
    }
    lines.push_back(line);
    robots.remove_prefix(line.text.size());
  }
  return lines;
}

/// Whether a line of preferences applies to all paths: "train-ai=n", but not "/a/ train-ai=n".
bool is_for_all_paths(const RobotsLine& line) { return !line.value.starts_with('/'); }

std::optional<std::string_view> fault_of(std::string_view text) {
  if (text.size() > kMaxUsageBytes) return "is over 1,000 bytes";
  if (std::ranges::any_of(text, [](char c) { return c < 0x20 || c > 0x7E || c == '#'; }))
    return "must be one line of printable ASCII without #";
  return std::nullopt;
}

/// The lines of the group for all crawlers.
std::string group_lines(const UsagePreferences& usage) {
  std::string lines;
  if (!usage.content_usage.empty()) lines += fmt::format("Content-Usage: {}\n", usage.content_usage);
  if (!usage.content_signal.empty()) lines += fmt::format("Content-Signal: {}\n", usage.content_signal);
  return lines;
}

/// Copies robots.txt to `out`, and adds the lines after the first user-agent lines that name all crawlers.
/// Returns false if no group is for all crawlers.
bool insert_into_group(const std::vector<RobotsLine>& all, const UsagePreferences& usage, std::string& out) {
  bool in_names = false;
  bool is_ours = false;
  bool is_done = false;
  for (const RobotsLine& line : all) {
    const bool is_name = line.is("user-agent");
    if (is_name && !in_names) is_ours = false;
    if (is_name && line.value == "*") is_ours = true;
    const bool ends_names = in_names && !line.key.empty() && !is_name;
    if (ends_names && is_ours && !is_done) {
      out += group_lines(usage);
      is_done = true;
    }
    if (is_name || !line.key.empty()) in_names = is_name;
    const bool is_replaced = is_ours && is_for_all_paths(line) &&
                             ((line.is("content-usage") && !usage.content_usage.empty()) ||
                              (line.is("content-signal") && !usage.content_signal.empty()));
    if (!is_replaced) out += line.text;
  }
  if (is_done || !(in_names && is_ours)) return is_done;
  if (!out.ends_with('\n')) out += '\n';
  out += group_lines(usage);
  return true;
}

}  // namespace

std::string find_usage_fault(const UsagePreferences& usage) {
  for (const auto& [name, text] :
       {std::pair("content_usage", &usage.content_usage), std::pair("content_signal", &usage.content_signal),
        std::pair("license", &usage.license)})
    if (const auto fault = fault_of(*text)) return fmt::format("`{}` {}", name, *fault);
  const bool is_url = usage.license.empty() || usage.license.find_first_of("<>\" ") == std::string::npos;
  if (!is_url || (!usage.license.empty() && !base::Url::parse(usage.license)))
    return "`license` must be an http or https URL";
  return {};
}

std::string with_usage_lines(std::string_view robots, const UsagePreferences& usage) {
  const std::vector<RobotsLine> all = split_robots_lines(robots);
  std::string out;
  const bool has_license = usage.license.empty() || std::ranges::any_of(all, [&](const RobotsLine& line) {
                             return line.is("license") && line.value == usage.license;
                           });
  // In front, where it belongs to no group.
  if (!has_license) out += fmt::format("License: {}\n\n", usage.license);
  const std::string lines = group_lines(usage);
  if (lines.empty()) return out.append(robots);
  if (insert_into_group(all, usage, out)) return out;
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return fmt::format("{}{}User-agent: *\n{}", out, out.empty() || out.ends_with("\n\n") ? "" : "\n", lines);
}

std::vector<std::string> find_usage_lines(std::string_view robots) {
  std::vector<std::string> found;
  std::vector<std::string> names;
  bool in_names = false;
  const auto add = [&](std::string line) {
    if (found.size() < kMaxUsageLines) found.push_back(std::move(line));
  };
  for (const RobotsLine& line : split_robots_lines(robots)) {
    const bool is_stated = line.is_usage() || line.is("license");
    if (line.is("user-agent")) {
      if (!in_names) names.clear();
      if (names.size() < kMaxUsageLines)
        names.push_back(fmt::format("User-agent: {}", line.value.substr(0, kMaxUsageBytes)));
    }
    if (!line.key.empty()) in_names = line.is("user-agent");
    if (!is_stated || line.value.size() > kMaxUsageBytes) continue;
    if (line.is_usage())
      for (std::string& name : std::exchange(names, {})) add(std::move(name));
    add(fmt::format("{}: {}", line.key, line.value));
  }
  return found;
}

}  // namespace sheaf::site
