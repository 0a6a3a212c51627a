#pragma once

#include "sheaf/lab/deployment.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sheaf::lab {

/// A request that reached a deployment.
struct LoggedRequest {
  LabRequest request = {};
  unsigned status = 0;
  std::uint64_t sent = 0;  ///< bytes of the body
};

/// How often a client may request one URL in one run.
inline constexpr std::uint64_t kMaxRepeats = 20;
/// How many requests a client may make in one run: the site has eight pages and eight collections.
inline constexpr std::uint64_t kMaxRequests = 200;

/// Returns what a client did wrong, one sentence per fault; empty if it behaved.
std::vector<std::string> judge_conduct(const Deployment& deployment, std::span<const LoggedRequest> log);

}  // namespace sheaf::lab
