#include "sheaf/cli/options/thread_option.h"

#include <algorithm>
#include <thread>

namespace sheaf::cli {

namespace {

/// More threads would cost memory and gain nothing: each has buffers of some megabytes.
constexpr unsigned kMaxThreads = 256;

}  // namespace

unsigned number_of_processors() { return std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads); }

Option add_thread_option(const Command& command, unsigned& threads, const std::string& what) {
  threads = number_of_processors();
  return command.option("--threads", threads, what + "; default: the number of processors")
      .within(1U, kMaxThreads);
}

}  // namespace sheaf::cli
