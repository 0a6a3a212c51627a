#include "sheaf/cli/options/program_environment.h"

#include <cstdlib>

namespace sheaf::cli {

std::optional<std::string> environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace sheaf::cli
