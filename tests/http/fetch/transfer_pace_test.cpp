#include "sheaf/http/fetch/fetcher.h"

#include <gtest/gtest.h>

#include <limits>

namespace sheaf::http::fetch {
namespace {

using std::chrono::milliseconds;

TEST(TransferPace, TimeGrowsWithWhatHasArrived) {
  const TransferPace pace{.grace = milliseconds(1000), .minimum_rate = 100};
  EXPECT_EQ(pace.allowed(0), milliseconds(1000));
  EXPECT_EQ(pace.allowed(50), milliseconds(1500));
  EXPECT_EQ(pace.allowed(1000), milliseconds(11'000));
}

TEST(TransferPace, NoTransferLastsLongerThanTheLongest) {
  const TransferPace pace{};
  EXPECT_EQ(pace.allowed(std::numeric_limits<std::uint64_t>::max()), pace.longest);
  const TransferPace zero{.minimum_rate = 0};
  EXPECT_EQ(zero.allowed(std::uint64_t{1} << 60), zero.longest);
}

TEST(TransferPace, ADripOfAKilobyteASecondEndsSoonAfterTheGracePeriod) {
  const TransferPace pace{};
  EXPECT_LT(pace.allowed(std::uint64_t{64} * 1000), milliseconds(64'000));
}

}  // namespace
}  // namespace sheaf::http::fetch
