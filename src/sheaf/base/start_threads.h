#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace sheaf::base {

/// Starts up to `count` threads that run `work`. The system may allow fewer (ulimit -u, TasksMax): throws
/// std::system_error if it cannot start `least` of them.
template <class Work>
void start_threads(std::vector<std::jthread>& threads, std::size_t count, std::size_t least, Work work) {
  for (std::size_t i = 0; i < count; ++i) {
    try {
      threads.emplace_back(work);
    } catch (const std::system_error&) {
      if (i < least) throw;
      return;
    }
  }
}

}  // namespace sheaf::base
