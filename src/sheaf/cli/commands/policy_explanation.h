#pragma once

#include "sheaf/cli/output/exit_status.h"

#include <string>

namespace sheaf::cli {

struct PolicyQuestion {
  std::string folder;
  std::string below;
  std::string policy;   ///< file of the policy
  std::string request;  ///< "PATH [verified=ORIGIN] [claimed=NAME] [price=USD0.01]"
};

/// Prints which rule of a policy decides about a request, and why the rules before it do not. Returns `yes`
/// if the policy lets the client have the file, `no` if it refuses.
ExitStatus explain_policy(const PolicyQuestion& question);

}  // namespace sheaf::cli
