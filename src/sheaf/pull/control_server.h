#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/control_message.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace sheaf::pull {

/// Takes requests for pulls from other processes of this user, on a socket in the store's folder, for as long
/// as it lives. Only the process that has the store open for writing may have one: a store has one writer,
/// and a request is how others get a pull while it runs.
class ControlServer {
 public:
  using Send = std::function<void(const ControlResponse&)>;
  /// Makes one pull; its result is the last message. Called from several threads. What it sends meanwhile is
  /// progress and notes; sending never fails, a client that went away is no reason to end a pull.
  using Handler = std::function<ControlResponse(const ControlRequest& request, const Send& send)>;

  static constexpr std::size_t kMostClients = 8;

  static base::Result<std::unique_ptr<ControlServer>> start(const std::filesystem::path& store,
                                                            Handler handler);
  /// Removes the socket, and waits for the requests under way: whoever ends them must have told their
  /// handlers.
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
