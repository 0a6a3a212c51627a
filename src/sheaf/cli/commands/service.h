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

/// Takes what LISTEN_PID and LISTEN_FDS speak of, and clears both. Nothing passed is no error.
base::Result<PassedSockets> take_passed_sockets();

/// Tells the service manager about us ("READY=1"), where there is one that wants to know.
void notify_manager(const std::string& state);

/// Gives up root for `user`, or if that is empty for `sheaf` or else `nobody`; the name of the user it
/// became. Empty, and nothing done, when we are not root or `user` is "root".
base::Result<std::string> drop_privileges(const std::string& user);

/// Lets the process open as many files as it may; how many that is.
std::size_t raise_descriptor_limit();

/// How the descriptors of a server are shared out, so that it never runs out of them: without one for a file
/// it could answer nobody, and without one for a connection nobody could even ask.
struct DescriptorShares {
  std::size_t connections = 0;  ///< each needs one for itself and one for the file it downloads
  std::size_t files = 0;        ///< kept open between requests, `most_files` at most
};
DescriptorShares share_descriptors(std::size_t limit, std::size_t most_files);

}  // namespace sheaf::cli
