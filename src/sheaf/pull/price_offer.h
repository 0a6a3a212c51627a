#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <optional>
#include <string>
#include <string_view>

// The price that a site asks for its files: a response with status 402, which is an offer and not an error.
// Nothing more is requested until an offer is accepted, and the offer is kept as a note of the site.
namespace sheaf::pull {

inline constexpr int kPaymentRequired = 402;

struct PriceOffer {
  std::string url = {};     ///< of the file
  std::string price = {};   ///< the crawler-price field as it was sent; empty if there was none
  std::string reason = {};  ///< the crawler-error field: why an accepted price was refused; usually empty
  std::string text = {};    ///< the beginning of the body
  Instant when = {};

  friend bool operator==(const PriceOffer&, const PriceOffer&) = default;
};

/// Reads the offer in a response. Texts are truncated; control characters become spaces.
PriceOffer read_offer(const http::fetch::FetchHead& head, std::string_view body, Instant when);

/// "https://example.com/x.scp.zst costs USD 0.05".
std::string describe(const PriceOffer& offer);

std::string encode(const PriceOffer& offer);
std::optional<PriceOffer> decode_offer(std::string_view bytes);

inline constexpr std::string_view kOfferNote = "offer";
base::Result<std::optional<PriceOffer>> read_offer_note(const store::PageStore& store, std::string_view site);
/// Stores the offer; nullopt removes it. Writes nothing if only the time differs.
base::Result<void> write_offer_note(store::PageStore& store, std::string_view site,
                                    const std::optional<PriceOffer>& offer);

}  // namespace sheaf::pull
