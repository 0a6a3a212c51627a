#pragma once

#include <cstdint>

namespace sheaf::growth {

/// The number of steps that the library has made so far: branches taken, and a step for every 8 bytes that
/// it, or a library that it calls, copies, compares, fills or searches. Unlike a time it is the same on every
/// machine and under any load.
std::uint64_t steps();

}  // namespace sheaf::growth
