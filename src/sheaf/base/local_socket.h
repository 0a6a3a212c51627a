#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

// Unix-domain sockets between processes of one user. They exchange frames: a size of four bytes,
// little-endian, then the data.
namespace sheaf::base {

/// Listens on a socket that only this user can connect to. The path may have any length. An existing socket
/// is replaced, so the caller must hold a lock that ensures that no process listens on it. Fails if any other
/// file exists at the path.
Result<FileDescriptor> listen_locally(const std::filesystem::path& path);

/// Connects to a socket. Fails with Errc::not_found if no process listens on it.
Result<FileDescriptor> connect_locally(const std::filesystem::path& path);

struct Peer {
  int process = 0;    ///< process id
  unsigned user = 0;  ///< user id
};
/// The process at the other end of a connected socket.
Result<Peer> peer_of(int socket);

/// Sends one frame. Fails with Errc::broken_pipe if the peer has closed the connection or does not read for
/// several seconds.
Result<void> send_frame(int socket, std::string_view bytes);

/// Receives the next frame. Returns nullopt if the peer closed the connection before it. `give_up` is polled
/// several times a second; if it returns true, the call fails with Errc::refused. Fails with
/// Errc::invalid_data if the frame is truncated or larger than `most` bytes.
Result<std::optional<std::string>> receive_frame(int socket, std::size_t most,
                                                 const std::function<bool()>& give_up);

}  // namespace sheaf::base
