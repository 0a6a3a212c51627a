#pragma once

#include <sheaf/error.h>

#include <string_view>

namespace sheaf::base {

using sheaf::Errc;
using sheaf::Error;
using sheaf::fail;
using sheaf::Result;

/// An Error for a failed system call: `what` ("cannot open x.scp") plus the system's reason for
/// `error_number`.
Error system_error(int error_number, std::string_view what);

}  // namespace sheaf::base
