#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store {

/// What a worker reports of itself.
struct WorkerLoad {
  std::int64_t sites = 0;
  std::int64_t due = 0;
  std::int64_t late = 0;  ///< due for a while
  std::int64_t failing = 0;
  std::int64_t running = 0;
};

/// The part of a list of sites that this process pulls; other processes have the other parts. Which part that
/// is changes as processes come and go, but no site is ever in two. Any thread.
class WorkShare {
 public:
  virtual ~WorkShare() = default;

  /// The URLs of the sites that are this process's now; nothing if they are the same as at the last call.
  virtual base::Result<std::optional<std::vector<std::string>>> poll() = 0;
  /// Waits until this process has a part, or until it is clear that others have everything.
  virtual base::Result<void> wait_for_part() = 0;

  /// Keeps a site until leave(). False if it is not this process's any more.
  virtual bool enter(std::string_view site) = 0;
  virtual void leave(std::string_view site) = 0;
  /// Whether the site is still this process's.
  [[nodiscard]] virtual bool owns(std::string_view site) const = 0;

  virtual void report(const WorkerLoad& load) = 0;
};

}  // namespace sheaf::store
