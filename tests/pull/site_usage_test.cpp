#include "sheaf/pull/site_usage.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::pull {
namespace {

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
