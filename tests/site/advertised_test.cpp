#include "sheaf/site/advertised.h"

#include <gtest/gtest.h>

namespace sheaf::site {
namespace {

TEST(SpecCacheControl, FollowsTheUpdateFrequency) {
  using model::CollectionType;
  EXPECT_EQ(cache_control_of(CollectionType::snapshot, UpdateFreq::daily),
            "public, max-age=86400, stale-while-revalidate=3600");
  EXPECT_EQ(cache_control_of(CollectionType::delta, UpdateFreq::daily),
            "public, max-age=3600, must-revalidate");
  EXPECT_EQ(cache_control_of(CollectionType::snapshot, UpdateFreq::weekly),
            "public, max-age=604800, stale-while-revalidate=25200");
  EXPECT_EQ(cache_control_of(CollectionType::delta, UpdateFreq::hourly),
            "public, max-age=150, must-revalidate");
}

}  // namespace
}  // namespace sheaf::site
