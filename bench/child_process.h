#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sheaf::bench {

struct ChildRun {
  int exit_status = -1;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< largest resident set
};

/// Runs a program to its end, its output thrown away. `feed` writes its standard input to the descriptor it
/// is given (blocking, ended by returning); without one the input is empty.
ChildRun run_child(const std::vector<std::string>& command, const std::function<void(int)>& feed = {});

/// The kernel counts the memory of the parent as the program's own until the program is loaded, and a
/// benchmark holds gigabytes. So run_child starts this program once more, still small, as `PROGRAM --launch
/// FD COMMAND...`, and that one runs the command and writes the result to FD. To be called first in main;
/// true: that was all.
bool launch_if_asked(int argc, char** argv);

}  // namespace sheaf::bench
