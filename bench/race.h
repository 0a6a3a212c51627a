#pragma once

#include <functional>
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

/// The table that a run ends with.
class Report {
 public:
  /// A ratio that shall be at least `goal`.
  void at_least(std::string figure, double goal, double measured);
  /// A size that shall be at most `goal` bytes.
  void at_most(std::string figure, double goal, double measured);
  /// A figure without a goal.
  void note(std::string figure, std::string measured);
  void print() const;

 private:
  struct Row {
    std::string figure;
    std::string goal;
    std::string measured;
    std::string verdict;
  };
  std::vector<Row> rows_;
};

/// A benchmark of something that does not work says nothing: ends the program with status 1 unless `good`.
void require(bool good, std::string_view what);

}  // namespace sheaf::bench
