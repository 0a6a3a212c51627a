#include "sheaf/http/fetch/fetch_transfer_internal.h"

#include <string_view>
#include <utility>

namespace sheaf::http::fetch {
namespace {

/// Why the body of a failed transfer is incomplete, as a value of WARC-Truncated.
std::string_view truncation_of(const TransferOutcome& outcome) {
  if (!outcome.error) return {};
  if (outcome.trouble == FetchTrouble::too_large) return "length";
  return outcome.trouble == FetchTrouble::too_slow ? "time" : "disconnect";
}

}  // namespace

void FetchTransfer::record(Exchange& exchange, TransferOutcome& outcome) {
  if (outcome.trouble == FetchTrouble::refused_by_sink || outcome.trouble == FetchTrouble::cancelled) return;
  const char* address = nullptr;
  if (curl_easy_getinfo(curl_, CURLINFO_PRIMARY_IP, &address) == CURLE_OK && address != nullptr)
    exchange.address = address;
  exchange.truncated = truncation_of(outcome);
  if (auto recorded = options_.recorder->record(exchange); !recorded) {
    outcome.error = std::move(recorded.error());
    outcome.trouble = FetchTrouble::other;
    outcome.is_final = true;
  }
}

}  // namespace sheaf::http::fetch
