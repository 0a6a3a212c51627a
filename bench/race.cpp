#include "race.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace sheaf::bench {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

std::string mebibytes(double bytes) { return fmt::format("{:.1f} MiB", bytes / kMiB); }

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

void Report::at_least(std::string figure, double goal, double measured) {
  rows_.push_back({std::move(figure), fmt::format(">= {:.2f}", goal), fmt::format("{:.2f}", measured),
                   measured >= goal ? "met" : "NOT MET"});
}

void Report::at_most(std::string figure, double goal, double measured) {
  rows_.push_back({std::move(figure), "<= " + mebibytes(goal), mebibytes(measured),
                   measured <= goal ? "met" : "NOT MET"});
}

void Report::note(std::string figure, std::string measured) {
  rows_.push_back({std::move(figure), "-", std::move(measured), "-"});
}

void Report::print() const {
  const std::string rule(96, '-');
  fmt::print("\n{:<50} {:>16} {:>18}  {}\n{}\n", "figure", "goal", "measured", "verdict", rule);
  for (const Row& row : rows_)
    fmt::print("{:<50} {:>16} {:>18}  {}\n", row.figure, row.goal, row.measured, row.verdict);
}

void require(bool good, std::string_view what) {
  if (good) return;
  fmt::print(stderr, "check failed: {}\n", what);
  std::exit(1);
}

}  // namespace sheaf::bench
