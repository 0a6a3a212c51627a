#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/message/crawler_price.h"
#include "sheaf/pull/price_offer.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::pull {

struct PaymentOptions {
  std::optional<http::message::CrawlerPrice> most = {};  ///< maximum per site and pull
  /// A program that pays, called as PROGRAM SITE URL PRICE. Exit status 0 accepts the price; the lines "Name:
  /// value" that it prints are added to the repeated request.
  std::string command = {};
};

using RequestHeaders = std::vector<std::pair<std::string, std::string>>;

/// Parses the lines "Name: value" that a payment command printed. Fails with Errc::invalid_data if a line is
/// not a header field or is one that must not be replaced (Host, Range...), or if there are more than 20.
base::Result<RequestHeaders> parse_payment_headers(std::string_view text);

/// Accepts price offers of one site up to a total.
class Payments {
 public:
  explicit Payments(const PaymentOptions& options) : options_(options) {}

  /// Accepts an offer and returns the headers for the repeated request. Returns nullopt if the offer is not
  /// accepted; `why` then has the reason. Every accepted offer counts towards the total, even if the site
  /// then does not deliver.
  std::optional<RequestHeaders> accept(const std::string& site, const PriceOffer& offer, std::string& why);

  /// The total of the accepted offers; nullopt if there are none.
  [[nodiscard]] std::optional<http::message::CrawlerPrice> spent() const;

 private:
  PaymentOptions options_;
  std::uint64_t spent_ = 0;
};

}  // namespace sheaf::pull
