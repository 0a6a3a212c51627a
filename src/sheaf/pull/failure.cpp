#include "sheaf/pull/failure.h"

namespace sheaf {

std::string_view to_string(FailureCode code) {
  switch (code) {
    case FailureCode::none: return "none";
    case FailureCode::cancelled: return "cancelled";
    case FailureCode::unresolvable_host: return "unresolvable-host";
    case FailureCode::unreachable: return "unreachable";
    case FailureCode::too_slow: return "too-slow";
    case FailureCode::http_status: return "http-status";
    case FailureCode::retry_later: return "retry-later";
    case FailureCode::payment_required: return "payment-required";
    case FailureCode::robots_unavailable: return "robots-unavailable";
    case FailureCode::robots_disallowed: return "robots-disallowed";
    case FailureCode::insecure_url: return "insecure-url";
    case FailureCode::forbidden_address: return "forbidden-address";
    case FailureCode::unreadable_offers: return "unreadable-offers";
    case FailureCode::section_withdrawn: return "section-withdrawn";
    case FailureCode::site_moved: return "site-moved";
    case FailureCode::no_collections: return "no-collections";
    case FailureCode::no_pages: return "no-pages";
    case FailureCode::nothing_offered: return "nothing-offered";
    case FailureCode::not_a_collection: return "not-a-collection";
    case FailureCode::invalid_collection: return "invalid-collection";
    case FailureCode::too_large: return "too-large";
    case FailureCode::oversized_collection: return "oversized-collection";
    case FailureCode::size_mismatch: return "size-mismatch";
    case FailureCode::checksum_mismatch: return "checksum-mismatch";
    case FailureCode::page_count_mismatch: return "page-count-mismatch";
    case FailureCode::unsigned_collection: return "unsigned-collection";
    case FailureCode::invalid_signature: return "invalid-signature";
    case FailureCode::untrusted_key: return "untrusted-key";
    case FailureCode::replayed_collection: return "replayed-collection";
    case FailureCode::stale_collection: return "stale-collection";
    case FailureCode::future_collection: return "future-collection";
    case FailureCode::newest_unreachable: return "newest-unreachable";
    case FailureCode::state_mismatch: return "state-mismatch";
    case FailureCode::shrink_held: return "shrink-held";
    case FailureCode::other_host_limit: return "other-host-limit";
    case FailureCode::unreadable_page: return "unreadable-page";
    case FailureCode::page_limit: return "page-limit";
    case FailureCode::pages_failed: return "pages-failed";
    case FailureCode::disk_full: return "disk-full";
    case FailureCode::store_error: return "store-error";
    case FailureCode::damaged_store: return "damaged-store";
    case FailureCode::crashed: return "crashed";
    case FailureCode::internal: return "internal";
  }
  return "internal";
}

}  // namespace sheaf

namespace sheaf::pull {

Failure failure_of(const base::Error& error) {
  const bool full = error.code == base::Errc::no_space;
  return {full ? FailureCode::disk_full : FailureCode::store_error, error.message};
}

}  // namespace sheaf::pull
