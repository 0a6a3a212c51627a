#include "sheaf/pull/fallback.h"

namespace sheaf::pull {

bool can_fall_back(FailureCode code) {
  switch (code) {
    case FailureCode::unresolvable_host:
    case FailureCode::unreachable:
    case FailureCode::too_slow:
    case FailureCode::http_status:
    case FailureCode::robots_unavailable:  // the robots.txt of another host that has the files
    case FailureCode::robots_disallowed:
    case FailureCode::other_host_limit:
    case FailureCode::insecure_url:
    case FailureCode::forbidden_address:
    case FailureCode::nothing_offered:
    case FailureCode::not_a_collection:
    case FailureCode::invalid_collection:
    case FailureCode::too_large:
    case FailureCode::oversized_collection:
    case FailureCode::checksum_mismatch:
    case FailureCode::unreadable_offers:
    case FailureCode::unreadable_page:
    case FailureCode::stale_collection:
    case FailureCode::future_collection:
    case FailureCode::newest_unreachable: return true;
    default: return false;
  }
}

bool is_crawl_due(const FailingSection& section, Instant now) {
  if (!can_fall_back(section.code)) return false;
  if (section.pages == 0 || section.failures >= kGracePulls) return true;
  return section.since && now.seconds - section.since->seconds >= kGraceSeconds;
}

bool is_retired(const WithdrawnSection& section, Instant now) {
  if (section.is_covered) return true;
  if (section.offers == OffersRead::whole) return section.pulls >= kWithdrawnPulls;
  return section.pulls >= kGracePulls ||
         (section.since && now.seconds - section.since->seconds >= kGraceSeconds);
}

bool covers_whole_site(const Coverage& coverage, format::Shrink shrink) {
  const bool is_enough = coverage.stated ? *coverage.stated > 0 && coverage.others >= *coverage.stated
                                         : coverage.stored > 0 && coverage.lost == 0;
  if (!is_enough || !coverage.is_as_new) return false;
  return shrink == format::Shrink::allow || !format::is_suspicious_shrink(coverage.stored, coverage.lost);
}

}  // namespace sheaf::pull
