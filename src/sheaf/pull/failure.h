#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::pull {

/// Why a pull did not reach the newest state that a site offers. The set of codes is closed on purpose:
/// `--json`, `status` and the metrics use them, and operators build alerts on them.
enum class FailureCode : std::uint8_t {
  none,
  cancelled,             ///< the pull was stopped before it was done
  unresolvable_host,     ///< the host name has no address
  unreachable,           ///< no connection, cut off, timed out
  too_slow,              ///< the transfer was slower than the minimum rate or missed its deadline
  http_status,           ///< a response that is neither a success nor "not found"
  retry_later,           ///< the site asked for no requests until later (Retry-After)
  payment_required,      ///< the site demands payment (402)
  robots_unavailable,    ///< robots.txt could not be read, so nothing may be fetched
  robots_disallowed,     ///< robots.txt forbids a required request
  insecure_url,          ///< plain http inside an https chain
  forbidden_address,     ///< a private or loopback address
  unreadable_offers,     ///< a sitemap, or an entry for a collection in it, cannot be read whole
  section_withdrawn,     ///< no sitemap offers a stored section any more
  site_moved,            ///< the site redirects to another site
  no_collections,        ///< the site offers no collections, and crawling is not allowed
  no_pages,              ///< neither collections nor pages
  nothing_offered,       ///< no collection of the section can be used
  not_a_collection,      ///< the file clearly is something else
  invalid_collection,    ///< the file breaks the format
  too_large,             ///< a file exceeds a limit or the quota
  oversized_collection,  ///< the file is far larger than the sitemap says, so the download was aborted
  size_mismatch,         ///< the file's size is not what the sitemap says
  checksum_mismatch,     ///< the file's checksum is not what the sitemap says
  page_count_mismatch,   ///< the file's number of pages is not what the sitemap says
  unsigned_collection,   ///< a collection without a signature, from a site that must sign
  invalid_signature,     ///< the signature does not belong to the file, the section or the site
  untrusted_key,         ///< not the pinned key, a forged rotation, or a revoked key
  replayed_collection,   ///< validly signed, but older than the store
  stale_collection,      ///< the file is older than its sitemap entry or than the store
  future_collection,     ///< the file or its sitemap entry is dated in the future
  newest_unreachable,    ///< something newer is offered than what could be applied
  state_mismatch,        ///< the pages do not match the state digest that the site states
  shrink_held,           ///< held back by the shrink guard
  other_host_limit,      ///< the site names more files on other hosts than are fetched
  unreadable_page,       ///< a page breaks a rule of the format, or its content coding is unknown or damaged
  page_limit,            ///< the site has more pages than may be fetched one by one
  pages_failed,          ///< pages of a crawl could not be fetched
  disk_full,
  store_error,    ///< the store could not be read or written
  damaged_store,  ///< the store has lost data
  crashed,        ///< two pulls of the site did not end, so it is skipped for a while (CrashNotes)
  internal,       ///< a bug in sheaf
};
inline constexpr std::size_t kFailureCodes = static_cast<std::size_t>(FailureCode::internal) + 1;

/// The code as `--json` and the metrics write it: "state-mismatch".
std::string_view to_string(FailureCode code);

/// A code for programs and a sentence for people. `none` means no failure.
struct Failure {
  FailureCode code = FailureCode::none;
  std::string message = {};

  explicit operator bool() const { return code != FailureCode::none; }
};

/// The failure to report for a site whose pull ended with an error of the store or the disk.
Failure failure_of(const base::Error& error);

}  // namespace sheaf::pull
