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
/// is replaced: the caller holds a lock and thus knows that no process listens on it. Any other existing file
/// is an error.
Result<FileDescriptor> listen_locally(const std::filesystem::path& path);

/// Errc::not_found if no process listens.
Result<FileDescriptor> connect_locally(const std::filesystem::path& path);

struct Peer {
  int process = 0;    ///< its id
  unsigned user = 0;  ///< the id of its user
};
/// The process id of the peer.
Result<Peer> peer_of(int socket);

/// Errc::broken_pipe if the peer has closed the connection or does not read for several seconds.
Result<void> send_frame(int socket, std::string_view bytes);

/// The next frame; nullopt if the peer closed the connection before it. `give_up` is polled several times a
/// second; if it returns true, the wait ends with Errc::refused. Errc::invalid_data for a frame that is
/// truncated or larger than `most`.
Result<std::optional<std::string>> receive_frame(int socket, std::size_t most,
                                                 const std::function<bool()>& give_up);

}  // namespace sheaf::base
