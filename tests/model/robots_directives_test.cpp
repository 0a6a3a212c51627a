#include "sheaf/model/robots_directives.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace sheaf::model {
namespace {

TEST(RobotsDirectives, NoindexIsAWordInAnyCase) {
  for (const std::string_view directives :
       {"noindex", "NOINDEX", "NoIndex", "none", "None", "nofollow, noindex", "noindex,nofollow",
        "nofollow noindex", "nofollow;noindex", " noindex ", "*: noindex", "otherbot:noindex", "all, none"})
    EXPECT_TRUE(says_noindex(directives)) << directives;
  for (const std::string_view directives :
       {"", "all", "index", "nofollow", "noimageindex", "x-noindex-x", "noindexing", "nonesuch", "none-such",
        "max-image-preview: none", "max-image-preview:none", ",;: "})
    EXPECT_FALSE(says_noindex(directives)) << directives;
}

TEST(RobotsDirectives, OneOfAPageIsEnough) {
  Page page;
  EXPECT_FALSE(is_noindex(page));
  std::vector<Text> directives = {"nofollow", "noarchive"};
  page.robots = List<Text>(directives);
  EXPECT_FALSE(is_noindex(page));
  directives[1] = "None";
  EXPECT_TRUE(is_noindex(page));
}

}  // namespace
}  // namespace sheaf::model
