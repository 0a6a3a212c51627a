#pragma once

#include "sheaf/http/fetch.h"
#include "sheaf/pull/failure.h"

#include <string>

namespace sheaf::pull {

/// The failure that a failed fetch means to a pull.
Failure fetch_failure(http::FetchTrouble trouble, std::string message);

}  // namespace sheaf::pull
