#pragma once

#include "sheaf/store/page_store.h"
#include "simulation/history.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sheaf::simulation {

/// Where histories run. One store serves all of them, because each history has a site of its own.
struct Workplace {
  store::PageStore& store;
  std::filesystem::path downloads;
  bool verbose = false;  ///< print every event
};

struct Outcome {
  std::vector<std::string> faults;  ///< a sentence each; empty if every check passed
  std::size_t pulls = 0;
};

/// Runs a history until a check fails or it ends. Every run of a history is the same, to the last request.
Outcome run_history(const History& history, const Workplace& workplace);

/// The shortest history found that fails too.
History shrink_history(History history, const Workplace& workplace);

}  // namespace sheaf::simulation
