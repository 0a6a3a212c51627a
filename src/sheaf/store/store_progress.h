#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace sheaf::store {

/// How far a long operation on a store is.
struct StoreProgress {
  enum class Stage : std::uint8_t {
    check,  ///< pages are looked at
    pack,   ///< bytes are packed
  };
  Stage stage = Stage::check;
  std::uint64_t done = 0;
  std::uint64_t total = 0;  ///< 0 where it is not known
};

/// Called by the thread that called the operation, several times a second, also while nothing moves on; may
/// be empty.
using StoreProgressSink = std::function<void(const StoreProgress&)>;

}  // namespace sheaf::store
