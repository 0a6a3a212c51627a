#pragma once

#include "sheaf/crawl/page_visit.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/pull/failure.h"

#include <string>
#include <string_view>

namespace sheaf::pull {

/// The failure of a pull that a failed fetch causes.
Failure fetch_failure(http::fetch::FetchTrouble trouble, std::string message);

/// The failure of a page whose fate is `failed`.
Failure page_failure(const crawl::PageVisit& visit);

/// The status by which a site asks for payment. Nothing is fetched instead of what it was asked for.
inline constexpr int kPaymentRequired = 402;
/// The failure of a file that must be paid for.
Failure payment_failure(std::string_view url);

/// Whether the cause is local (the disk, the store), so that fetching another file or retrying would not
/// help.
bool is_local_failure(const base::Error& error);

}  // namespace sheaf::pull
