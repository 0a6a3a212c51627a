#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <string>
#include <vector>

namespace sheaf::cli {

/// Sockets that were opened by the process that started us (systemd socket activation).
struct PassedSockets {
  std::vector<base::FileDescriptor> serving;
  std::vector<base::FileDescriptor> metrics;  ///< those named "metrics" (FileDescriptorName=)
};

/// Takes the sockets described by LISTEN_PID and LISTEN_FDS, and removes these variables. Returns an empty
/// result if they are not set.
base::Result<PassedSockets> take_passed_sockets();

/// Notifies the service manager ("READY=1") if there is one.
void notify_manager(const std::string& state);

/// Drops root privileges and becomes `user`; if that is empty, `sheaf` or else `nobody`. Returns the name of
/// the new user. If we are not root or `user` is "root", does nothing and returns an empty name.
base::Result<std::string> drop_privileges(const std::string& user);

/// Raises the limit of open files as far as allowed, and returns the new limit.
std::size_t raise_descriptor_limit();

/// How a server divides its file descriptors, so that they never run out. Without a free one it could neither
/// open a file nor accept a connection.
struct DescriptorShares {
  std::size_t connections = 0;  ///< each needs one for itself and one for the file it downloads
  std::size_t files = 0;        ///< files kept open between requests, at most `most_files`
};
DescriptorShares share_descriptors(std::size_t limit, std::size_t most_files);

}  // namespace sheaf::cli
