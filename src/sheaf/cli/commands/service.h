#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <string>
#include <vector>

namespace sheaf::cli {

/// Sockets that the process which started us opened (systemd socket activation).
struct PassedSockets {
  std::vector<base::FileDescriptor> serving;
  std::vector<base::FileDescriptor> metrics;  ///< those named "metrics" (FileDescriptorName=)
};

/// Takes the sockets of LISTEN_PID and LISTEN_FDS, and clears both. Without them the result is empty.
base::Result<PassedSockets> take_passed_sockets();

/// Notifies the service manager ("READY=1") if there is one.
void notify_manager(const std::string& state);

/// Drops root and becomes `user`; if that is empty, `sheaf` or else `nobody`. Returns the name of that user.
/// Returns an empty name and does nothing if we are not root or `user` is "root".
base::Result<std::string> drop_privileges(const std::string& user);

/// Raises the limit of open files as far as allowed; the new limit.
std::size_t raise_descriptor_limit();

/// Divides the file descriptors of a server so that they never run out: without a free one it could neither
/// open a file nor accept a connection.
struct DescriptorShares {
  std::size_t connections = 0;  ///< each needs one for itself and one for the file it downloads
  std::size_t files = 0;        ///< kept open between requests, `most_files` at most
};
DescriptorShares share_descriptors(std::size_t limit, std::size_t most_files);

}  // namespace sheaf::cli
