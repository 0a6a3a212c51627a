#include "sheaf/http/message/crawler_price.h"

#include <gtest/gtest.h>

namespace sheaf::http::message {
namespace {

TEST(CrawlerPrices, AreACurrencyAndAnExactAmount) {
  EXPECT_EQ(parse_crawler_price("USD 0.01"), (CrawlerPrice{"USD", 10'000}));
  EXPECT_EQ(parse_crawler_price("EUR12"), (CrawlerPrice{"EUR", 12'000'000}));
  EXPECT_EQ(parse_crawler_price("  JPY 100.000001 "), (CrawlerPrice{"JPY", 100'000'001}));
  EXPECT_EQ(parse_crawler_price("USD 999999999.999999")->amount, 999'999'999'999'999U);
}

TEST(CrawlerPrices, ThatAreMalformedAreRefused) {
  for (const char* text :
       {"", "USD", "USD ", "usd 1", "US 1", "USDX 1", "0.01", "USD -1", "USD +1", "USD 1.", "USD .5",
        "USD 1,5", "USD 1.0000001", "USD 1e3", "USD 0x1", "USD 1 2", "USD 1000000000", "USD 1.2.3"})
    EXPECT_FALSE(parse_crawler_price(text)) << text;
}

TEST(CrawlerPrices, AreWrittenWithTheDecimalsTheyNeed) {
  for (const char* text : {"USD 0.01", "USD 5.00", "EUR 0.000001", "USD 12.345"})
    EXPECT_EQ(to_string(*parse_crawler_price(text)), text);
  EXPECT_EQ(to_string(*parse_crawler_price("USD 5")), "USD 5.00");
}

}  // namespace
}  // namespace sheaf::http::message
