#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::bench {

struct Contestant {
  std::string name;
  std::function<void()> run;
};

/// The best round of a contestant, the one that the rest of the machine disturbed least; in seconds.
struct Lap {
  double wall = 0;
  /// Of the processor, all threads together. What a busy machine delays does not count, so this compares
  /// contestants that use one thread and wait for nothing.
  double processor = 0;
  double busier_half = 0;  ///< the larger of: the caller's thread, all others together
};

/// Runs every contestant once a round, in turn, so that whatever else the machine does befalls all alike.
/// Prints each one's times, and its speed over `bytes`.
std::vector<Lap> race(std::string_view title, const std::vector<Contestant>& contestants, unsigned rounds,
                      double bytes);

double seconds_of(const std::function<void()>& run);

/// What figures are counted in, as the book of benchmarks (bench/book.py) writes it behind them.
inline constexpr std::string_view kRatio;
inline constexpr std::string_view kBytes = "bytes";  // shown in MiB
inline constexpr std::string_view kSeconds = "s";

/// Instead of a figure: what it needs is not to be had here. The verdict is "not measured".
inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// The table that a run ends with, and the same rows for bench/book.py.
class Report {
 public:
  /// What the rows to come belong to.
  explicit Report(std::string group = {}) : group_(std::move(group)) {}
  void start_group(std::string group) { group_ = std::move(group); }

  void at_least(std::string figure, double goal, double measured, std::string_view unit = kRatio);
  void at_most(std::string figure, double goal, double measured, std::string_view unit = kRatio);
  /// A figure without a goal.
  void note(std::string figure, double measured, std::string_view unit = kRatio);
  void print() const;
  /// Adds the rows to a file, one JSON object per line, in the form that bench/figures.py describes. An empty
  /// path is nothing to do.
  void append_json(const std::string& path) const;

 private:
  enum class Direction { none, at_least, at_most };
  struct Row {
    std::string group;
    std::string figure;
    Direction direction = Direction::none;
    double goal = 0;
    double measured = 0;
    std::string unit;

    [[nodiscard]] std::string_view verdict() const;
    [[nodiscard]] std::string_view sign() const;
    [[nodiscard]] std::string to_json() const;
  };
  std::string group_;
  std::vector<Row> rows_;
};

/// A benchmark of something that does not work says nothing: ends the program with status 1 unless `good`.
void require(bool good, std::string_view what);

}  // namespace sheaf::bench
