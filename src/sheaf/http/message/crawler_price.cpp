#include "sheaf/http/message/crawler_price.h"

#include "sheaf/http/message/message.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::http::message {
namespace {

constexpr std::size_t kCurrencyLetters = 3;
constexpr std::size_t kDecimals = 6;
constexpr std::size_t kMaxWholeDigits = 9;

bool are_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::uint64_t digits_value(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

}  // namespace

std::optional<CrawlerPrice> parse_crawler_price(std::string_view text) {
  text = trim_blanks(text);
  const std::string_view currency = text.substr(0, kCurrencyLetters);
  if (currency.size() != kCurrencyLetters ||
      !std::ranges::all_of(currency, [](char c) { return c >= 'A' && c <= 'Z'; }))
    return std::nullopt;
  const std::string_view number = trim_blanks(text.substr(kCurrencyLetters));
  const std::size_t point = number.find('.');
  const std::string_view whole = number.substr(0, point);
  if (!are_digits(whole) || whole.size() > kMaxWholeDigits) return std::nullopt;
  CrawlerPrice price{std::string(currency), digits_value(whole) * CrawlerPrice::kUnit};
  if (point == std::string_view::npos) return price;
  const std::string_view decimals = number.substr(point + 1);
  if (!are_digits(decimals) || decimals.size() > kDecimals) return std::nullopt;
  std::uint64_t part = digits_value(decimals);
  for (std::size_t i = decimals.size(); i < kDecimals; ++i) part *= 10;
  price.amount += part;
  return price;
}

std::string to_string(const CrawlerPrice& price) {
  std::string text = fmt::format("{} {}.{:06}", price.currency, price.amount / CrawlerPrice::kUnit,
                                 price.amount % CrawlerPrice::kUnit);
  const std::size_t least = text.find('.') + 3;
  while (text.size() > least && text.ends_with('0')) text.pop_back();
  return text;
}

}  // namespace sheaf::http::message
