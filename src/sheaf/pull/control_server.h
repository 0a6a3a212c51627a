#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/control_message.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace sheaf::pull {

/// Accepts pull requests from other processes of this user, on a socket in the store's folder. A store has
/// only one writer, so while `sheaf pull --list` runs, other processes ask it to pull. Only the process that
/// has the store open for writing may create a ControlServer.
class ControlServer {
 public:
  using Send = std::function<void(const ControlResponse&)>;
  /// Performs one pull and returns the last message. Called from several threads. May send progress and notes
  /// meanwhile. Sending never fails: the pull continues if the client disconnects.
  using Handler = std::function<ControlResponse(const ControlRequest& request, const Send& send)>;

  static constexpr std::size_t kMaxClients = 8;

  static base::Result<std::unique_ptr<ControlServer>> start(const std::filesystem::path& store,
                                                            Handler handler);
  /// Removes the socket and waits for running requests. The caller must cancel their handlers first.
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// The socket of a store.
  static std::filesystem::path socket_of(const std::filesystem::path& store);

 private:
  class Impl;
  explicit ControlServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::pull
