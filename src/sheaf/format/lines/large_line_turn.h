#pragma once

#include <cstddef>

namespace sheaf::format {

/// Lines larger than this need a LargeLineTurn.
constexpr std::size_t kLargeLineBytes = std::size_t{2} << 20;

/// A lock that makes a process handle large lines one at a time. A line takes up to three times its size
/// while it is parsed and checked, and many sites are read in parallel: without the lock, a hundred sites
/// could use a hundred times that memory. The constructor waits for the lock, the destructor releases it. The
/// lock is recursive, so that a thread that reads two files does not wait for itself.
class LargeLineTurn {
 public:
  LargeLineTurn();
  ~LargeLineTurn();
  LargeLineTurn(const LargeLineTurn&) = delete;
  LargeLineTurn& operator=(const LargeLineTurn&) = delete;
};

}  // namespace sheaf::format
