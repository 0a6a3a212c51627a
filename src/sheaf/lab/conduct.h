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

/// How often one URL may be requested in one run of a client.
inline constexpr std::uint64_t kMostRepeats = 20;
/// How many requests a run may make in all: the site has eight pages and eight collections.
inline constexpr std::uint64_t kMostRequests = 200;

/// What a client did that it should not have done, a sentence each; empty if it behaved.
std::vector<std::string> judge_conduct(const Deployment& deployment, std::span<const LoggedRequest> log);

}  // namespace sheaf::lab
