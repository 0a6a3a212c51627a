#include "sheaf/base/error.h"

#include <cerrno>
#include <system_error>

namespace sheaf::base {
namespace {

Errc classify(int error_number) {
  switch (error_number) {
    case ENOENT: return Errc::not_found;
    case EACCES:
    case EPERM: return Errc::permission_denied;
    case EISDIR: return Errc::is_a_directory;
    case EEXIST: return Errc::already_exists;
    case ENOSPC:
    case EDQUOT: return Errc::no_space;
    case EPIPE: return Errc::broken_pipe;
    default: return Errc::io;
  }
}

}  // namespace

Error system_error(int error_number, std::string_view what) {
  std::string message(what);
  message += ": ";
  message += std::generic_category().message(error_number);
  return {classify(error_number), std::move(message)};
}

}  // namespace sheaf::base
