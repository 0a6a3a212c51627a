#include "sheaf/pull/payment.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/child_process.h"
#include "sheaf/http/message/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace sheaf::pull {
namespace {

using http::message::CrawlerPrice;

constexpr std::chrono::seconds kPaymentTime{60};
constexpr std::size_t kPaymentBytes = std::size_t{16} << 10;
constexpr std::size_t kMaxPaymentHeaders = 20;
/// Fields that belong to the request itself, so a payment command must not set them.
constexpr std::array<std::string_view, 12> kOwnFields = {"host",
                                                         "range",
                                                         "if-range",
                                                         "if-none-match",
                                                         "if-modified-since",
                                                         "content-length",
                                                         "transfer-encoding",
                                                         "connection",
                                                         "accept-encoding",
                                                         "signature",
                                                         "signature-input",
                                                         "signature-agent"};

}  // namespace

base::Result<RequestHeaders> parse_payment_headers(std::string_view text) {
  RequestHeaders headers;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (base::trim_blanks(line).empty()) continue;
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (value.ends_with('\r')) value.remove_suffix(1);
    value = base::trim_blanks(value);
    const bool is_field = http::message::is_token(name) && !value.empty() &&
                          http::message::is_field_value(value) && headers.size() < kMaxPaymentHeaders;
    if (!is_field || std::ranges::find(kOwnFields, base::lower_text(name)) != kOwnFields.end())
      return base::fail(base::Errc::invalid_data,
                        "the payment command printed something that is not a header field for the request");
    headers.emplace_back(name, value);
  }
  return headers;
}

std::optional<CrawlerPrice> Payments::spent() const {
  if (spent_ == 0) return std::nullopt;
  return CrawlerPrice{options_.most->currency, spent_};
}

std::optional<RequestHeaders> Payments::accept(const std::string& site, const PriceOffer& offer,
                                               std::string& why) {
  const auto refuse = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (!options_.most || options_.command.empty())
    return refuse("to accept prices, use --max-price and --pay-command");
  const auto price = http::message::parse_crawler_price(offer.price);
  if (!price) return refuse("the offer states no valid price, so it cannot be accepted");
  if (price->currency != options_.most->currency)
    return refuse(fmt::format("--max-price is in {}", options_.most->currency));
  if (price->amount > options_.most->amount - spent_)
    return refuse(fmt::format("--max-price is {} for a site, of which {} is spent", to_string(*options_.most),
                              to_string(CrawlerPrice{price->currency, spent_})));
  const std::string text = to_string(*price);
  const auto printed =
      base::read_command({options_.command, site, offer.url, text}, offer.url, kPaymentTime, kPaymentBytes);
  if (!printed) return refuse(printed.error().message);
  auto headers = parse_payment_headers(*printed);
  if (!headers) return refuse(headers.error().message);
  spent_ += price->amount;
  headers->emplace_back(http::message::kExactPriceField, text);
  return std::move(*headers);
}

}  // namespace sheaf::pull
