#include "sheaf/pull/control_client.h"

#include "sheaf/base/local_socket.h"
#include "sheaf/pull/control_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace sheaf::pull {
namespace {

using base::Errc;
using base::Result;

/// Handles one message. Returns the report if this is it, an error for a refusal, and nullopt for other
/// messages.
Result<std::optional<ControlReport>> take(const ControlResponse& answer, const ControlEvents& events) {
  if (const auto* report = std::get_if<ControlReport>(&answer)) return *report;
  if (const auto* refusal = std::get_if<ControlRefusal>(&answer))
    return base::fail(Errc::refused, refusal->message);
  if (const auto* note = std::get_if<ControlNote>(&answer)) {
    if (events.note) events.note(note->text);
  } else if (const auto* progress = std::get_if<ControlProgress>(&answer)) {
    if (events.progress)
      events.progress({progress->what, progress->name, progress->bytes, progress->pages, progress->total});
  }
  return std::nullopt;
}

}  // namespace

Result<ControlReport> ask_for_pull(const std::filesystem::path& store, const ControlRequest& request,
                                   const ControlEvents& events) {
  const std::string bytes = encode(request);
  if (bytes.size() > kRequestBytes)
    return base::fail(Errc::invalid_argument,
                      "the request is too long for the process that holds the store; name fewer sections");
  SHEAF_TRY_ASSIGN(const auto socket, base::connect_locally(ControlServer::socket_of(store)));
  SHEAF_TRY_ASSIGN(const base::Peer peer, base::peer_of(socket.get()));
  if (events.connected) events.connected(peer.process);
  SHEAF_TRY(base::send_frame(socket.get(), bytes));
  while (true) {
    SHEAF_TRY_ASSIGN(const auto frame, base::receive_frame(socket.get(), kReplyBytes, events.stopped));
    if (!frame)
      return base::fail(
          Errc::broken_pipe,
          fmt::format("process {}, which held the store, ended before the pull was done; pull again",
                      peer.process));
    SHEAF_TRY_ASSIGN(const ControlResponse answer, decode_control_response(*frame));
    SHEAF_TRY_ASSIGN(auto report, take(answer, events));
    if (report) return std::move(*report);
  }
}

std::optional<int> find_store_writer(const std::filesystem::path& store) {
  // Closing this file releases this process's own locks on it (POSIX), so a process that has the store open
  // must not call this.
  const base::FileDescriptor file(::open((store / "pages" / "LOCK").c_str(), O_RDONLY | O_CLOEXEC));
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (!file.is_open() || fcntl(file.get(), F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
    return std::nullopt;
  return lock.l_pid > 0 ? std::optional(lock.l_pid) : std::nullopt;
}

}  // namespace sheaf::pull
