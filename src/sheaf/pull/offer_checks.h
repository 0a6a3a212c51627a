#pragma once

#include "sheaf/pull/collection_sync.h"
#include "sheaf/pull/failure.h"
#include "sheaf/pull/section_memory.h"
#include "sheaf/site/advertised.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <string>
#include <string_view>

// Compare what a sitemap states about a collection with the facts. No function here reads the disk or the
// network.
namespace sheaf::pull {

/// Why the URL of a collection must not be requested; empty if it may be.
Failure check_url(const site::AdvertisedCollection& offer, const CollectionsTask& task);

/// What the sitemap states wrongly about a downloaded file: its size, checksum or number of pages. Empty if
/// all is right.
Failure compare_file(const site::AdvertisedCollection& offer, const SeenCollection& seen);

/// The message for a file that is older than the sitemap says, or than the store.
std::string describe_stale(const site::AdvertisedCollection& offer, const SeenCollection& seen);

/// The failures of a section that could not be brought up to date.
Failure nothing_offered(std::string_view section);
Failure undated_offered(std::string_view section, std::string_view url);
Failure future_offered(std::string_view section, Instant generated);
/// `reached` is the newest state that could be applied, `reason` the last problem; it may be empty.
Failure newest_unreachable(std::string_view section, Instant newest, Instant reached,
                           const std::string& reason);
Failure offers_outdated(std::string_view section, Instant newest, Instant held);

/// The number of pages in the file, including those that the store skipped because of a finding.
std::uint64_t pages_in_file(const store::ApplySummary& applied);

}  // namespace sheaf::pull
