#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::http::message {

// The header fields of pay per crawl, as Cloudflare defined them. A 402 response states the price, a request
// states the price that the client accepts, and a successful response states the price that was charged.
inline constexpr std::string_view kPriceField = "crawler-price";
inline constexpr std::string_view kExactPriceField = "crawler-exact-price";
inline constexpr std::string_view kMaxPriceField = "crawler-max-price";
inline constexpr std::string_view kChargedField = "crawler-charged";
inline constexpr std::string_view kPriceErrorField = "crawler-error";

/// An amount of money. A fixed number of decimals instead of a floating-point number, so that sums are exact.
struct CrawlerPrice {
  static constexpr std::uint64_t kUnit = 1'000'000;
  std::string currency;      ///< ISO 4217: three capital letters
  std::uint64_t amount = 0;  ///< in millionths of the currency unit; less than a billion units

  friend bool operator==(const CrawlerPrice&, const CrawlerPrice&) = default;
};

/// Parses "USD 0.01": a currency and a decimal number with up to six decimals; the space may be missing.
/// Nullopt for anything else.
std::optional<CrawlerPrice> parse_crawler_price(std::string_view text);

/// "USD 0.01", with at least two decimals.
std::string to_string(const CrawlerPrice& price);

}  // namespace sheaf::http::message
