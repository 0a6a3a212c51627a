// Runs simulated histories of sites and judges the copy after every pull.
//
//   simulate [SEEDS] [--first N] [--jobs N] [--failures N]   runs that many seeds, until so many fail
//   simulate --minutes N [--first N] [--jobs N]              runs seeds for that long
//   simulate --seed N                                        replays one, shrinks it and shows every event
//
// Exit status: 0 if every check passed, 1 if one failed, 2 for wrong arguments.
#include "sheaf/store/open/open_store.h"
#include "simulation/fleet_history.h"
#include "simulation/run_history.h"
#include "support/temp_dir.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sheaf::simulation {
namespace {

// Deleted entries of earlier histories slow a store down, and opening one takes as long as a history.
constexpr unsigned kHistoriesPerStore = 50;

struct SimulateOptions {
  std::uint64_t seeds = 2000;
  std::uint64_t first = 1;
  double minutes = 0;  ///< instead of a number of seeds
  std::optional<std::uint64_t> seed;
  unsigned jobs = 1;
  std::size_t most_failures = 1;
};

/// A store in a temporary folder. Stores in memory are much faster, because every commit is synced.
class TemporaryStore {
 public:
  TemporaryStore()
      : store_(store::open_store((folder_.path() / "store").string(), StoreAccess::write).value()) {}
  [[nodiscard]] Workplace workplace(bool verbose) const {
    return {*store_, folder_.path() / "files", verbose};
  }

 private:
  test::TempDir folder_;
  std::unique_ptr<store::PageStore> store_;
};

void show_failure(std::uint64_t seed, const History& shrunk, const Outcome& outcome) {
  fmt::print("seed {} fails: {}\n", seed,
             outcome.faults.empty() ? "(only sometimes)" : outcome.faults.front());
  fmt::print("  site: {}\n", describe(shrunk.traits));
  for (const Event& event : shrunk.events) fmt::print("  {}\n", describe(event));
  fmt::print("  replay it: ./dev simulate --seed {}\n", seed);
  std::fflush(stdout);
}

class Simulation {
 public:
  explicit Simulation(const SimulateOptions& options) : options_(options), next_(options.first) {}

  bool run() {
    const auto start = std::chrono::steady_clock::now();
    if (options_.minutes > 0) end_ = start + std::chrono::seconds(static_cast<int>(options_.minutes * 60));
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < options_.jobs; ++i) threads.emplace_back([this] { work(); });
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    fmt::print("{} histories, {} pulls, {} failed; {:.0f} histories a minute\n", histories_.load(),
               pulls_.load(), failures_.load(),
               static_cast<double>(histories_) * 60 / std::max(took.count(), 0.001));
    return failures_ == 0;
  }

 private:
  /// A fleet's history has its own events, and is not shrunk.
  void judge_fleet(std::uint64_t seed) {
    const auto faults = run_fleet_history(seed);
    if (faults.empty()) return;
    ++failures_;
    const std::lock_guard lock(mutex_);
    fmt::print("seed {} fails: {}\n", seed, faults.front());
  }

  void work() {
    auto store = std::make_unique<TemporaryStore>();
    unsigned used = 0;
    while (failures_ < options_.most_failures) {
      const std::uint64_t seed = next_++;
      if (end_ ? std::chrono::steady_clock::now() > *end_ : seed >= options_.first + options_.seeds) return;
      if (++used % kHistoriesPerStore == 0) store = std::make_unique<TemporaryStore>();
      const History history = make_history(seed);
      const Outcome outcome = run_history(history, store->workplace(false));
      ++histories_;
      pulls_ += outcome.pulls;
      judge_fleet(seed);
      if (outcome.faults.empty()) continue;
      ++failures_;
      const History shrunk = shrink_history(history, store->workplace(false));
      const Outcome again = run_history(shrunk, store->workplace(false));
      const std::lock_guard lock(mutex_);
      show_failure(seed, shrunk, again.faults.empty() ? outcome : again);
    }
  }

  const SimulateOptions& options_;
  std::optional<std::chrono::steady_clock::time_point> end_;
  std::atomic<std::uint64_t> next_;
  std::atomic<std::uint64_t> histories_ = 0;
  std::atomic<std::uint64_t> pulls_ = 0;
  std::atomic<std::size_t> failures_ = 0;
  std::mutex mutex_;
};

int replay(std::uint64_t seed) {
  const TemporaryStore store;
  History history = make_history(seed);
  for (const std::string& fault : run_fleet_history(seed)) fmt::print("FAULT {}\n", fault);
  if (run_history(history, store.workplace(false)).faults.empty()) {
    fmt::print("seed {} passes\n", seed);
    return 0;
  }
  history = shrink_history(history, store.workplace(false));
  const Outcome outcome = run_history(history, store.workplace(true));
  for (const std::string& fault : outcome.faults) fmt::print("FAULT {}\n", fault);
  show_failure(seed, history, outcome);
  return 1;
}

int run_program(int argc, char** argv) {
  SimulateOptions options;
  CLI::App app("Runs simulated histories of sites and judges the copy after every pull");
  app.add_option("seeds", options.seeds, "number of histories");
  app.add_option("--first", options.first, "the first seed");
  app.add_option("--minutes", options.minutes, "run seeds for this long");
  app.add_option("--seed", options.seed, "replay this seed, shrunk, and show every event");
  app.add_option("--jobs", options.jobs, "threads")->check(CLI::Range(1, 64));
  app.add_option("--failures", options.most_failures, "stop after this many failures");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (options.seed) return replay(*options.seed);
  return Simulation(options).run() ? 0 : 1;
}

}  // namespace
}  // namespace sheaf::simulation

int main(int argc, char** argv) {
  // Stores sync every commit, which takes no time in memory.
  if (std::filesystem::is_directory("/dev/shm"))
    setenv("TMPDIR", "/dev/shm", 0);  // NOLINT(concurrency-mt-unsafe)
  return sheaf::simulation::run_program(argc, argv);
}
