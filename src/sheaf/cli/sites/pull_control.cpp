#include "sheaf/cli/sites/pull_control.h"

#include "sheaf/cli/sites/pull_report.h"
#include "sheaf/pull/control_client.h"
#include "sheaf/pull/site_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <iterator>
#include <mutex>
#include <utility>

namespace sheaf::cli {
namespace {

using pull::ControlRefusal;
using pull::ControlRequest;
using pull::ControlResponse;
using std::chrono::steady_clock;

/// Options that a request sets in the writer, or that concern only the requesting process.
constexpr std::array<std::string_view, 6> kHonoured = {"URL",    "--store",        "--section",
                                                       "--html", "--allow-shrink", "--json"};
constexpr std::chrono::milliseconds kBetweenProgress{200};

/// Returns a message about the first option whose values differ from the writer's.
std::optional<std::string> find_difference(const ControlRequest& request, const Command::Given& own) {
  for (const auto& [name, values] : request.same) {
    const auto ours = std::ranges::find(own, name, &Command::Given::value_type::first);
    if (ours != own.end() && ours->second == values) continue;
    return fmt::format(
        "{} {} was not given to the process that holds the store, which makes the pull; leave it out, or "
        "restart that process with it",
        name, fmt::join(values, " "));
  }
  return std::nullopt;
}

/// Removes colours, because they depend on the writer's terminal, not on that of the requesting process.
std::string without_colours(std::string_view text) {
  std::string plain;
  while (true) {
    const std::size_t escape = text.find("\x1b[");
    plain += text.substr(0, escape);
    if (escape == std::string_view::npos) return plain;
    const std::size_t end = text.find('m', escape);
    if (end == std::string_view::npos) return plain;
    text.remove_prefix(end + 1);
  }
}

base::Result<pull::PullRequest> to_pull_request(const ControlRequest& request,
                                                const pull::ControlServer::Send& send) {
  SHEAF_TRY_ASSIGN(auto site, pull::parse_site_url(request.site));
  pull::PullRequest wanted{.site = std::move(site), .sections = request.sections};
  wanted.allow_shrink = request.allow_shrink;
  if (!request.html.empty()) {
    wanted.html = html_choice(request.html);
    if (!wanted.html)
      return base::fail(base::Errc::invalid_argument, request.html + " is not a choice of --html");
  }
  wanted.on_wait = [&send, name = wanted.site.origin()] {
    send(pull::ControlNote{name + " is being pulled right now; this pull comes after it"});
  };
  return wanted;
}

ControlResponse answer_request(pull::FleetRequests& fleet, const Command::Given& own,
                               const ControlRequest& request, const pull::ControlServer::Send& send) {
  if (auto difference = find_difference(request, own)) return ControlRefusal{std::move(*difference)};
  auto wanted = to_pull_request(request, send);
  if (!wanted) return ControlRefusal{wanted.error().message};
  std::mutex mutex;
  steady_clock::time_point next;
  wanted->progress = [&](const pull::PullProgress& progress) {
    const std::lock_guard lock(mutex);
    if (steady_clock::now() < next) return;
    next = steady_clock::now() + kBetweenProgress;
    send(pull::ControlProgress{std::string(progress.what), std::string(progress.name), progress.bytes,
                               progress.pages, progress.total});
  };
  const auto report = fleet.pull_now(*wanted);
  if (!report) return ControlRefusal{report.error().message};
  return pull::ControlReport{report->ok, request.json ? pull_as_json(*report) + "\n"
                                                      : without_colours(describe_pull(*report, false))};
}

/// Returns the program and its first argument, such as "sheaf gc"; empty if the system does not reveal them.
std::string command_of(int process) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", process), std::ios::binary);
  const std::string line((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string_view program = std::string_view(line).substr(0, line.find('\0'));
  std::string text(program.substr(program.rfind('/') + 1));
  if (program.size() + 1 >= line.size()) return text;
  const std::string_view first = std::string_view(line).substr(program.size() + 1);
  return text + " " + std::string(first.substr(0, first.find('\0')));
}

}  // namespace

std::optional<FetchPages> html_choice(std::string_view text) {
  if (text == "fallback") return FetchPages::fallback;
  if (text == "never") return FetchPages::never;
  if (text == "only") return FetchPages::always;
  return std::nullopt;
}

ControlRequest make_pull_request(std::string site, const Command::Given& given) {
  ControlRequest request{.site = std::move(site)};
  for (const auto& [name, values] : given) {
    if (name == "--section") request.sections = values;
    if (name == "--html") request.html = values.front();
    if (name == "--allow-shrink") request.allow_shrink = true;
    if (name == "--json") request.json = true;
    if (std::ranges::find(kHonoured, name) == kHonoured.end()) request.same.emplace_back(name, values);
  }
  return request;
}

pull::ControlServer::Handler make_request_handler(pull::FleetRequests& fleet, Command::Given own) {
  return
      [&fleet, own = std::move(own)](const ControlRequest& request, const pull::ControlServer::Send& send) {
        return answer_request(fleet, own, request, send);
      };
}

base::Error name_store_writer(const std::filesystem::path& store, const base::Error& in_use) {
  const auto process = pull::find_store_writer(store);
  if (!process) return in_use;
  return {in_use.code,
          fmt::format("{} is in use by process {} ({}); wait for it to end, or give each its own folder",
                      store.string(), *process, command_of(*process))};
}

}  // namespace sheaf::cli
