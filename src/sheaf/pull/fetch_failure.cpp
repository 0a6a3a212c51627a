#include "sheaf/pull/fetch_failure.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::pull {
namespace {

FailureCode code_of(http::fetch::FetchTrouble trouble) {
  switch (trouble) {
    case http::fetch::FetchTrouble::cancelled: return FailureCode::cancelled;
    case http::fetch::FetchTrouble::unresolvable_host: return FailureCode::unresolvable_host;
    case http::fetch::FetchTrouble::too_slow: return FailureCode::too_slow;
    case http::fetch::FetchTrouble::forbidden_address: return FailureCode::forbidden_address;
    case http::fetch::FetchTrouble::insecure_redirect: return FailureCode::insecure_url;
    case http::fetch::FetchTrouble::too_large: return FailureCode::too_large;
    case http::fetch::FetchTrouble::none:
    case http::fetch::FetchTrouble::unreachable:
    case http::fetch::FetchTrouble::refused_by_sink:
    case http::fetch::FetchTrouble::other: break;
  }
  return FailureCode::unreachable;
}

FailureCode code_of(const crawl::PageVisit& visit) {
  switch (visit.cause) {
    case crawl::FailureCause::robots_unreadable: return FailureCode::robots_unavailable;
    case crawl::FailureCause::transfer: return code_of(visit.trouble);
    case crawl::FailureCause::status:
      return visit.status == kPaymentRequired ? FailureCode::payment_required : FailureCode::http_status;
    case crawl::FailureCause::unreadable_body: return FailureCode::unreadable_page;
    case crawl::FailureCause::none: break;
  }
  return FailureCode::none;
}

}  // namespace

Failure fetch_failure(http::fetch::FetchTrouble trouble, std::string message) {
  return {code_of(trouble), std::move(message)};
}

Failure page_failure(const crawl::PageVisit& visit) {
  return {code_of(visit), crawl::describe_failure(visit)};
}

Failure payment_failure(std::string_view url) {
  return {FailureCode::payment_required,
          fmt::format("{} answered {}: the site asks for payment, and sheaf does not pay", url,
                      kPaymentRequired)};
}

bool is_local_failure(const base::Error& error) {
  return error.code == base::Errc::no_space || error.code == base::Errc::permission_denied;
}

}  // namespace sheaf::pull
