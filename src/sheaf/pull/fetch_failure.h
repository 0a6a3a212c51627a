#pragma once

#include "sheaf/crawl/page_visit.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/pull/failure.h"

#include <string>

namespace sheaf::pull {

/// The failure of a pull that a failed fetch causes.
Failure fetch_failure(http::fetch::FetchTrouble trouble, std::string message);

/// The failure of a page whose fate is `failed`.
Failure page_failure(const crawl::PageVisit& visit);

/// Whether the cause is local (the disk, the store), so that fetching another file or retrying would not
/// help.
bool is_local_failure(const base::Error& error);

}  // namespace sheaf::pull
