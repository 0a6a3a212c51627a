#include "sheaf/access/quota_table.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::access {
namespace {

constexpr Quota kPerHour{.requests = 10, .seconds = 3'600};

TEST(QuotaTables, CountPerClientAndRule) {
  QuotaTable table;
  const std::uint64_t a = table.key_of("rule", "a");
  const std::uint64_t b = table.key_of("rule", "b");
  EXPECT_NE(a, table.key_of("another", "a"));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(table.count_request(a, kPerHour, 7'200).requests, i);
  table.add_bytes(a, kPerHour, 7'300, 1'000);
  const QuotaUse used = table.count_request(a, kPerHour, 10'799);
  EXPECT_EQ(used.requests, 5U);
  EXPECT_EQ(used.bytes, 1'000U);
  EXPECT_EQ(table.count_request(b, kPerHour, 10'799).requests, 0U);
}

TEST(QuotaTables, BeginAnewWithEachPeriod) {
  QuotaTable table;
  const std::uint64_t key = table.key_of("rule", "a");
  table.count_request(key, kPerHour, 7'200);
  EXPECT_EQ(table.count_request(key, kPerHour, 10'799).requests, 1U);
  EXPECT_EQ(table.count_request(key, kPerHour, 10'800).requests, 0U);
}

TEST(QuotaTables, KeepBusyClientsWhenThereAreTooMany) {
  QuotaTable table(64);
  const std::uint64_t busy = table.key_of("rule", "busy");
  for (int i = 0; i < 100; ++i) table.count_request(busy, kPerHour, 0);
  for (int i = 0; i < 10'000; ++i) table.count_request(table.key_of("rule", std::to_string(i)), kPerHour, 0);
  EXPECT_EQ(table.count_request(busy, kPerHour, 0).requests, 100U);
}

}  // namespace
}  // namespace sheaf::access
