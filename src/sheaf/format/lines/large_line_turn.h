#pragma once

#include <cstddef>

namespace sheaf::format {

/// A line beyond this waits for its turn.
constexpr std::size_t kLargeLineBytes = std::size_t{2} << 20;

/// Large lines are handled one at a time in a process. A line of a page takes up to three times its size
/// while it is parsed and checked, and many sites are read in parallel: without turns a hundred of them could
/// make us hold a hundred times that. The turn is taken when it is made, which may wait, and given back when
/// it is gone. A thread that has the turn already gets it again, so that one that reads two files does not
/// wait for itself.
class LargeLineTurn {
 public:
  LargeLineTurn();
  ~LargeLineTurn();
  LargeLineTurn(const LargeLineTurn&) = delete;
  LargeLineTurn& operator=(const LargeLineTurn&) = delete;
};

}  // namespace sheaf::format
