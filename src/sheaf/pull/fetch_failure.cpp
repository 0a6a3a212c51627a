#include "sheaf/pull/fetch_failure.h"

#include <utility>

namespace sheaf::pull {
namespace {

FailureCode code_of(http::FetchTrouble trouble) {
  switch (trouble) {
    case http::FetchTrouble::cancelled: return FailureCode::cancelled;
    case http::FetchTrouble::unresolvable_host: return FailureCode::unresolvable_host;
    case http::FetchTrouble::too_slow: return FailureCode::too_slow;
    case http::FetchTrouble::forbidden_address: return FailureCode::forbidden_address;
    case http::FetchTrouble::insecure_redirect: return FailureCode::insecure_url;
    case http::FetchTrouble::too_large: return FailureCode::too_large;
    case http::FetchTrouble::none:
    case http::FetchTrouble::unreachable:
    case http::FetchTrouble::refused_by_sink:
    case http::FetchTrouble::other: break;
  }
  return FailureCode::unreachable;
}

}  // namespace

Failure fetch_failure(http::FetchTrouble trouble, std::string message) {
  return {code_of(trouble), std::move(message)};
}

}  // namespace sheaf::pull
