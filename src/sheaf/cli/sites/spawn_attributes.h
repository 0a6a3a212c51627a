#pragma once

#include <spawn.h>

#include <csignal>

namespace sheaf::cli {

/// Attributes for posix_spawn() that unblock all signals in the child. Otherwise it would inherit the mask of
/// a server, which blocks signals in order to wait for them, and could not be stopped.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace sheaf::cli
