#include "race.h"

#include "sheaf/format/json/json_text.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>

namespace sheaf::bench {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

/// Enough digits to compare with a goal, and no more.
std::string shown(double value, std::string_view unit) {
  if (!std::isfinite(value)) return "-";
  if (unit == kBytes) return fmt::format("{:.1f} MiB", value / kMiB);
  if (unit == kRatio) return fmt::format("{:.2f}", value);
  return fmt::format("{:.{}f} {}", value, value < 100 ? 2 : 0, unit);
}

double seconds_on(clockid_t clock) {
  struct timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

double seconds_of(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<Lap> race(std::string_view title, const std::vector<Contestant>& contestants, unsigned rounds,
                      double bytes) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<Lap> laps(contestants.size(), {kNever, kNever, kNever});
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const double all_before = seconds_on(CLOCK_PROCESS_CPUTIME_ID);
      const double caller_before = seconds_on(CLOCK_THREAD_CPUTIME_ID);
      laps[i].wall = std::min(laps[i].wall, seconds_of(contestants[i].run));
      const double caller = seconds_on(CLOCK_THREAD_CPUTIME_ID) - caller_before;
      const double all = seconds_on(CLOCK_PROCESS_CPUTIME_ID) - all_before;
      laps[i].processor = std::min(laps[i].processor, all);
      laps[i].busier_half = std::min(laps[i].busier_half, std::max(caller, all - caller));
    }
  }
  fmt::print("\n{} ({:.0f} MB, best of {} rounds)\n", title, bytes / 1e6, rounds);
  fmt::print("  {:<28} {:>9} {:>9} {:>15} {:>9}\n", "", "wall s", "MB/s", "processor s", "MB/s");
  for (std::size_t i = 0; i < contestants.size(); ++i)
    fmt::print("  {:<28} {:>9.3f} {:>9.0f} {:>15.3f} {:>9.0f}\n", contestants[i].name, laps[i].wall,
               bytes / 1e6 / laps[i].wall, laps[i].processor, bytes / 1e6 / laps[i].processor);
  std::fflush(stdout);
  return laps;
}

void Report::at_least(std::string figure, double goal, double measured, std::string_view unit) {
  rows_.push_back({group_, std::move(figure), Direction::at_least, goal, measured, std::string(unit)});
}

void Report::at_most(std::string figure, double goal, double measured, std::string_view unit) {
  rows_.push_back({group_, std::move(figure), Direction::at_most, goal, measured, std::string(unit)});
}

void Report::note(std::string figure, double measured, std::string_view unit) {
  rows_.push_back({group_, std::move(figure), Direction::none, 0, measured, std::string(unit)});
}

std::string_view Report::Row::verdict() const {
  if (!std::isfinite(measured)) return "not measured";
  if (direction == Direction::none) return "-";
  return (direction == Direction::at_least ? measured >= goal : measured <= goal) ? "met" : "NOT MET";
}

std::string_view Report::Row::sign() const {
  if (direction == Direction::none) return "";
  return direction == Direction::at_least ? ">=" : "<=";
}

std::string Report::Row::to_json() const {
  const auto text = [](std::string_view value) {
    std::string quoted;
    format::append_json_string(quoted, value);
    return quoted;
  };
  const auto number = [](double value, bool there) { return there ? fmt::format("{}", value) : "null"; };
  const bool has_goal = direction != Direction::none;
  return fmt::format(
      R"({{"group":{},"figure":{},"goal":{},"direction":{},"measured":{},"unit":{},"verdict":{}}})",
      text(group), text(figure), number(goal, has_goal), has_goal ? text(sign()) : "null",
      number(measured, std::isfinite(measured)), text(unit), text(verdict()));
}

void Report::print() const {
  const std::string rule(96, '-');
  fmt::print("\n{:<50} {:>16} {:>18}  {}\n{}\n", "figure", "goal", "measured", "verdict", rule);
  for (const Row& row : rows_)
    fmt::print("{:<50} {:>16} {:>18}  {}\n", row.figure,
               row.sign().empty() ? "-" : fmt::format("{} {}", row.sign(), shown(row.goal, row.unit)),
               shown(row.measured, row.unit), row.verdict());
  std::fflush(stdout);
}

void Report::append_json(const std::string& path) const {
  if (path.empty()) return;
  std::ofstream file(path, std::ios::app);
  for (const Row& row : rows_) file << row.to_json() << '\n';
  file.close();
  require(!file.fail(), path + " is written");
}

void require(bool good, std::string_view what) {
  if (good) return;
  fmt::print(stderr, "check failed: {}\n", what);
  std::exit(1);
}

}  // namespace sheaf::bench
