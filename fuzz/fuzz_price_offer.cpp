// The input is what strangers say about money and use: a price, the headers that a payment command prints, a
// stored offer, a robots.txt with preferences.
#include "fuzz_support.h"
#include "sheaf/http/message/crawler_price.h"
#include "sheaf/http/message/message.h"
#include "sheaf/pull/payment.h"
#include "sheaf/pull/price_offer.h"
#include "sheaf/pull/site_usage.h"
#include "sheaf/site/usage_preferences.h"

#include <cstdint>
#include <string>

namespace {

using namespace sheaf;
using fuzz::require;

void check_robots(std::string_view text) {
  require(site::find_usage_lines(text).size() <= 100);
  const site::UsagePreferences usage{.content_usage = "train-ai=n", .license = "https://example.com/l.xml"};
  const std::string once = site::with_usage_lines(text, usage);
  require(site::with_usage_lines(once, usage) == once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::as_text(data, size);
  if (const auto price = http::message::parse_crawler_price(text))
    require(http::message::parse_crawler_price(to_string(*price)) == price);
  if (const auto headers = pull::parse_payment_headers(text)) {
    require(headers->size() <= 20);
    for (const auto& [name, value] : *headers)
      require(http::message::is_token(name) && http::message::is_field_value(value));
  }
  const auto offer =
      pull::read_offer({.headers = {{"crawler-price", std::string(text)}}, .url = "https://a/"}, text, {});
  require(offer.text.size() <= 500 && http::message::is_field_value(offer.text));
  require(pull::decode_offer(pull::encode(offer)) == offer);
  if (const auto stored = pull::decode_offer(text)) describe(*stored);
  if (const auto usage = pull::decode_usage(text)) require(pull::decode_usage(pull::encode(*usage)) == usage);
  check_robots(text);
  return 0;
}
