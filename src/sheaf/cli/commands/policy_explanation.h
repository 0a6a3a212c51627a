#pragma once

#include "sheaf/cli/output/exit_status.h"

#include <string>

namespace sheaf::cli {

struct PolicyQuestion {
  std::string folder;
  std::string below;
  std::string policy;   ///< the file
  std::string request;  ///< "PATH [verified=ORIGIN] [claimed=NAME] [price=USD0.01]"
};

/// Prints which rule of a policy decides about a request, and why those before it do not. `yes` if the client
/// gets the file, as far as the policy is concerned; `no` if it is refused.
ExitStatus explain_policy(const PolicyQuestion& question);

}  // namespace sheaf::cli
