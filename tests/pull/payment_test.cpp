#include "sheaf/pull/payment.h"

#include "sheaf/pull/fallback.h"
#include "sheaf/pull/price_offer.h"
#include "sheaf/pull/schedule.h"
#include "sheaf/pull/site_usage.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::pull {
namespace {

PriceOffer offer_of(const std::string& price) {
  return {.url = "https://example.com/a.scp.zst", .price = price};
}

PaymentOptions up_to(const std::string& most, const std::string& command = "true") {
  return {.most = http::message::parse_crawler_price(most), .command = command};
}

std::string refusal_of(Payments& payments, const std::string& price) {
  std::string why;
  return payments.accept("https://example.com", offer_of(price), why) ? "accepted" : why;
}

TEST(PaymentOfOffers, IsBoundedByATotal) {
  Payments payments(up_to("USD 0.10"));
  EXPECT_FALSE(payments.spent());
  EXPECT_EQ(refusal_of(payments, "USD 0.06"), "accepted");
  EXPECT_EQ(refusal_of(payments, "USD 0.05"),
            "--max-price is USD 0.10 for a site, of which USD 0.06 is spent");
  EXPECT_EQ(refusal_of(payments, "USD 0.04"), "accepted");
  EXPECT_EQ(refusal_of(payments, "USD 0.000001"),
            "--max-price is USD 0.10 for a site, of which USD 0.10 is spent");
  EXPECT_EQ(to_string(*payments.spent()), "USD 0.10");
}

TEST(PaymentOfOffers, NeedsAPriceThatIsUnderstood) {
  Payments payments(up_to("USD 1"));
  EXPECT_EQ(refusal_of(payments, ""), "the offer states no valid price, so it cannot be accepted");
  EXPECT_EQ(refusal_of(payments, "one dollar"), "the offer states no valid price, so it cannot be accepted");
  EXPECT_EQ(refusal_of(payments, "EUR 0.01"), "--max-price is in USD");
  Payments none({});
  EXPECT_EQ(refusal_of(none, "USD 0.01"), "to accept prices, use --max-price and --pay-command");
}

TEST(PaymentOfOffers, NeedsACommandThatSucceeds) {
  Payments failing(up_to("USD 1", "false"));
  EXPECT_TRUE(refusal_of(failing, "USD 0.01").ends_with("with status 1")) << refusal_of(failing, "USD 0.01");
  Payments missing(up_to("USD 1", "/nowhere/pay"));
  EXPECT_TRUE(refusal_of(missing, "USD 0.01").starts_with("cannot run /nowhere/pay"));
  EXPECT_FALSE(missing.spent());
}

TEST(PaymentOfOffers, SendsTheExactPrice) {
  Payments payments(up_to("USD 1"));
  std::string why;
  const auto headers = payments.accept("https://example.com", offer_of("USD 0.5"), why);
  ASSERT_TRUE(headers);
  EXPECT_EQ(*headers, (RequestHeaders{{"crawler-exact-price", "USD 0.50"}}));
}

TEST(PaymentHeaders, AreLinesOfNameAndValue) {
  const auto headers = parse_payment_headers("Authorization: Bearer x\r\n\nX-Receipt:42\n");
  ASSERT_TRUE(headers);
  EXPECT_EQ(*headers, (RequestHeaders{{"Authorization", "Bearer x"}, {"X-Receipt", "42"}}));
  EXPECT_TRUE(parse_payment_headers("")->empty());
}

TEST(PaymentHeaders, ThatDoNotBelongThereAreRefused) {
  std::string many;
  for (int i = 0; i < 21; ++i) many += "X-" + std::to_string(i) + ": 1\n";
  for (const std::string& text :
       {std::string("paid"), std::string("A b: c"), std::string("X: \x01"), std::string("X:"),
        std::string("Host: a"), std::string("RANGE: bytes=0-"), std::string("Signature: x"), many})
    EXPECT_FALSE(parse_payment_headers(text)) << text;
}

TEST(PriceOffers, AreReadFromAResponse) {
  const PriceOffer offer =
      read_offer({.status = 402,
                  .headers = {{"crawler-price", "USD 0.05"}, {"crawler-error", "too low"}},
                  .url = "https://example.com/a"},
                 "402 Payment Required:\n\tthis costs\x1b[31m money", {7, 5});
  EXPECT_EQ(offer.text, "402 Payment Required: this costs [31m money");
  EXPECT_EQ(describe(offer), "https://example.com/a costs USD 0.05 (too low)");
  EXPECT_EQ(decode_offer(encode(offer)), offer);
  EXPECT_EQ(describe(offer_of("cheap")),
            "https://example.com/a.scp.zst must be paid for, but no valid price is stated");
  EXPECT_FALSE(decode_offer("nonsense"));
}

TEST(PriceOffers, AreNotAReasonToCrawlOrToAskOften) {
  EXPECT_FALSE(can_fall_back(FailureCode::payment_required));
  PullReport report;
  report.failure = {FailureCode::payment_required, "it costs"};
  const SiteSchedule next = reschedule({}, report, {}, {1'000'000, 0}, 0);
  EXPECT_EQ(next.next.seconds, 1'000'000 + 86'400);
  EXPECT_EQ(next.failure_code, "payment-required");
  EXPECT_EQ(reschedule({}, report, {.seconds = 3'600}, {1'000'000, 0}, 0).next.seconds, 1'003'600);
}

TEST(SiteUsages, TakeOnlyWhatStatesPreferences) {
  SiteUsage usage;
  const http::fetch::FetchHead head{.headers = {{"content-usage", "train-ai=n"},
                                                {"link", "<https://a/l.xml>; rel=\"license\""},
                                                {"link", "</style.css>; rel=preload"},
                                                {"content-type", "application/scp"},
                                                {"content-usage", std::string(1'001, 'x')}}};
  usage.add(head);
  usage.add(head);
  EXPECT_EQ(usage.headers, (std::vector<std::string>{"Content-Usage: train-ai=n",
                                                     "Link: <https://a/l.xml>; rel=\"license\""}));
  usage.robots = {"License: https://a/l.xml"};
  EXPECT_EQ(decode_usage(encode(usage)), usage);
  EXPECT_FALSE(decode_usage(encode(usage) + "x"));
  for (int i = 0; i < 100; ++i) usage.add({.headers = {{"content-usage", std::to_string(i)}}});
  EXPECT_EQ(usage.headers.size(), SiteUsage::kMaxHeaders);
}

}  // namespace
}  // namespace sheaf::pull
