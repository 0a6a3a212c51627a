#include "sheaf/base/local_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace sheaf::base {
namespace {

constexpr int kBacklog = 16;
constexpr int kLookMilliseconds = 200;
constexpr timeval kSendTimeout{.tv_sec = 5, .tv_usec = 0};

/// The address of a socket. A sockaddr_un holds only 108 bytes, so a longer path is addressed through an open
/// descriptor of its folder (/proc/self/fd).
struct LocalAddress {
  FileDescriptor folder;  ///< must stay open while the address is used
  sockaddr_un address{};
};

Result<LocalAddress> address_of(const std::filesystem::path& path) {
  LocalAddress local;
  local.address.sun_family = AF_UNIX;
  std::string name = path.string();
  if (name.size() >= sizeof local.address.sun_path) {
    const std::string folder = path.parent_path().string();
    local.folder = FileDescriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!local.folder.is_open()) return std::unexpected(system_error(errno, "cannot open " + folder));
    name = fmt::format("/proc/self/fd/{}/{}", local.folder.get(), path.filename().string());
  }
  if (name.size() >= sizeof local.address.sun_path)
    return fail(Errc::invalid_argument, path.string() + " is too long for the name of a socket");
  std::memcpy(local.address.sun_path, name.data(), name.size());
  return local;
}

Result<FileDescriptor> make_socket() {
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return std::unexpected(system_error(errno, "cannot create a socket"));
  return socket;
}

/// Fills `out`. Returns false if the peer closed the connection before the first byte.
Result<bool> receive(int socket, std::span<char> out, const std::function<bool()>& give_up) {
  std::size_t have = 0;
  while (have < out.size()) {
    if (give_up && give_up()) return fail(Errc::refused, "stopped waiting");
    pollfd waiting{socket, POLLIN, 0};
    if (const int ready = poll(&waiting, 1, kLookMilliseconds); ready == 0 || (ready < 0 && errno == EINTR))
      continue;
    const ssize_t count = recv(socket, out.data() + have, out.size() - have, 0);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0 && errno != ECONNRESET) return std::unexpected(system_error(errno, "cannot receive"));
    if (count <= 0 && have == 0) return false;
    if (count <= 0)
      return fail(Errc::invalid_data, "the other process closed the connection in the middle of a message");
    have += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

Result<FileDescriptor> listen_locally(const std::filesystem::path& path) {
  struct stat there{};
  if (lstat(path.c_str(), &there) == 0) {
    if (!S_ISSOCK(there.st_mode))
      return fail(Errc::already_exists, path.string() + " is not a socket; move it away");
    if (unlink(path.c_str()) != 0)
      return std::unexpected(system_error(errno, "cannot remove the old socket " + path.string()));
  }
  SHEAF_TRY_ASSIGN(const LocalAddress local, address_of(path));
  SHEAF_TRY_ASSIGN(FileDescriptor socket, make_socket());
  // On Linux, bind() creates the file with the mode of the socket, so other users cannot connect at any time.
  fchmod(socket.get(), S_IRUSR | S_IWUSR);
  if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&local.address), sizeof local.address) != 0 ||
      listen(socket.get(), kBacklog) != 0)
    return std::unexpected(system_error(errno, "cannot listen on " + path.string()));
  return socket;
}

Result<FileDescriptor> connect_locally(const std::filesystem::path& path) {
  SHEAF_TRY_ASSIGN(const LocalAddress local, address_of(path));
  SHEAF_TRY_ASSIGN(FileDescriptor socket, make_socket());
  if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&local.address), sizeof local.address) == 0)
    return socket;
  if (errno == ENOENT || errno == ECONNREFUSED)
    return fail(Errc::not_found, "no process listens on " + path.string());
  return std::unexpected(system_error(errno, "cannot connect to " + path.string()));
}

Result<Peer> peer_of(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return std::unexpected(system_error(errno, "cannot identify the process at the other end of a socket"));
  return Peer{peer.pid, peer.uid};
}

Result<void> send_frame(int socket, std::string_view bytes) {
  std::string frame;
  for (unsigned shift = 0; shift < 32; shift += 8) frame += static_cast<char>(bytes.size() >> shift & 0xffU);
  frame += bytes;
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &kSendTimeout, sizeof kSendTimeout);
  for (std::string_view rest = frame; !rest.empty();) {
    const ssize_t count = send(socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(Errc::broken_pipe, "the other process closed the connection or does not read");
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<std::optional<std::string>> receive_frame(int socket, std::size_t most,
                                                 const std::function<bool()>& give_up) {
  std::array<char, 4> head{};
  SHEAF_TRY_ASSIGN(const bool began, receive(socket, head, give_up));
  if (!began) return std::nullopt;
  std::size_t size = 0;
  for (unsigned i = 0; i < head.size(); ++i)
    size |= static_cast<std::size_t>(static_cast<unsigned char>(head[i])) << 8 * i;
  if (size > most)
    return fail(Errc::invalid_data,
                fmt::format("a message of {} bytes; at most {} are accepted", size, most));
  // The buffer grows as data arrives, because the announced size is not trusted.
  constexpr std::size_t kStep = std::size_t{64} << 10;
  std::string bytes;
  while (bytes.size() < size) {
    const std::size_t have = bytes.size();
    bytes.resize(std::min(size, have + kStep));
    SHEAF_TRY_ASSIGN(const bool more, receive(socket, std::span(bytes).subspan(have), give_up));
    if (!more)
      return fail(Errc::invalid_data, "the other process closed the connection in the middle of a message");
  }
  return bytes;
}

}  // namespace sheaf::base
