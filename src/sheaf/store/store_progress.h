#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace sheaf::store {

/// Progress of a long operation on a store.
struct StoreProgress {
  enum class Stage : std::uint8_t {
    check,  ///< checking pages
    pack,   ///< packing bytes
  };
  Stage stage = Stage::check;
  std::uint64_t done = 0;
  std::uint64_t total = 0;  ///< 0 if unknown
};

/// Called several times per second on the thread that called the operation, even if there is no progress. May
/// be empty.
using StoreProgressSink = std::function<void(const StoreProgress&)>;

}  // namespace sheaf::store
