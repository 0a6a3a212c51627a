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
  std::optional<http::message::CrawlerPrice> most = {};  ///< for one site in one pull
  /// A program that pays: PROGRAM SITE URL PRICE. Exit status 0 accepts; the lines "Name: value" that it
  /// prints are added to the request that follows.
  std::string command = {};
};

using RequestHeaders = std::vector<std::pair<std::string, std::string>>;

/// The lines "Name: value" that a payment command printed. Errors, invalid_data: a line is not a header
/// field, is one that must not be replaced (Host, Range...), or there are over 20.
base::Result<RequestHeaders> parse_payment_headers(std::string_view text);

/// Accepts offers of one site up to a total.
class Payments {
 public:
  explicit Payments(const PaymentOptions& options) : options_(options) {}

  /// Accepts an offer: the headers to repeat the request with. Nullopt: it is not accepted, and `why` says
  /// why. Every acceptance counts, whether or not the site then keeps to it.
  std::optional<RequestHeaders> accept(const std::string& site, const PriceOffer& offer, std::string& why);

  /// The total of what was accepted; nullopt if nothing.
  [[nodiscard]] std::optional<http::message::CrawlerPrice> spent() const;

 private:
  PaymentOptions options_;
  std::uint64_t spent_ = 0;
};

}  // namespace sheaf::pull
