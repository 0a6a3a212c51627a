#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

// Unix-domain sockets between processes of one user, and the frames they exchange: four bytes with the size,
// the lowest first, then the bytes.
namespace sheaf::base {

/// Listens on a socket that only this user may connect to. The path may have any length. A socket that is
/// there is replaced: the caller knows that nobody listens on it, because it holds a lock. Anything else
/// there is an error.
Result<FileDescriptor> listen_locally(const std::filesystem::path& path);

/// Errc::not_found where nobody listens.
Result<FileDescriptor> connect_locally(const std::filesystem::path& path);

struct Peer {
  int process = 0;    ///< its id
  unsigned user = 0;  ///< the id of its user
};
/// The process at the other end.
Result<Peer> peer_of(int socket);

/// Errc::broken_pipe when the other end is closed or reads nothing for seconds.
Result<void> send_frame(int socket, std::string_view bytes);

/// The next frame; nothing when the other end was closed before it began. `give_up` is asked several times a
/// second, true ends the wait with Errc::refused. A frame over `most` bytes or cut short is invalid_data.
Result<std::optional<std::string>> receive_frame(int socket, std::size_t most,
                                                 const std::function<bool()>& give_up);

}  // namespace sheaf::base
