#include "sheaf/extract/content/declared_text.h"

#include <gtest/gtest.h>

namespace sheaf::extract {
namespace {

TEST(SheafOnlyDeclaredText, SharesOfTextsByThreeWordsInARow) {
  DeclaredText declared;
  declared.read("Yesterday the quick brown fox jumps over it.");
  EXPECT_FALSE(declared.empty());
  EXPECT_FLOAT_EQ(declared.share_of("The quick brown fox jumps."), 1);
  EXPECT_FLOAT_EQ(declared.share_of("The quick brown fox sleeps."), 2.0F / 3);
  EXPECT_FLOAT_EQ(declared.share_of("Fox brown quick the jumps."), 0);  // the words, in another order
  EXPECT_FLOAT_EQ(declared.share_of("The quick"), 0);                   // too short to tell
}

TEST(SheafOnlyDeclaredText, FewerThanThreeWordsAreNone) {
  DeclaredText declared;
  EXPECT_TRUE(declared.empty());
  declared.read("two words");
  EXPECT_TRUE(declared.empty());
}

TEST(SheafOnlyDeclaredText, OnePageLeavesNothingForTheNext) {
  DeclaredText declared;
  declared.read("these are declared words");
  declared.read("");
  EXPECT_TRUE(declared.empty());
}

}  // namespace
}  // namespace sheaf::extract
