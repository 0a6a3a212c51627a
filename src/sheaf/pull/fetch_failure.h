#pragma once

#include "sheaf/crawl/page_visit.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/pull/failure.h"

#include <string>

namespace sheaf::pull {

/// The failure that a failed fetch means to a pull.
Failure fetch_failure(http::fetch::FetchTrouble trouble, std::string message);

/// The failure of a page whose fate is `failed`.
Failure page_failure(const crawl::PageVisit& visit);

/// Whether the cause is local (the disk, the store), so that neither another file nor a later try would help.
bool is_local_failure(const base::Error& error);

}  // namespace sheaf::pull
