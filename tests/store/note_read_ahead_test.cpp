#include "sheaf/store/shared/shared_notes.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace sheaf::store::shared {
namespace {

/// Notes in memory, and what was read of them.
class NoteReads : public testing::Test {
 protected:
  std::optional<std::string> find(const std::string& site, const std::string& name) {
    return *ahead_.find(site, name,
                        [&](std::span<const std::string> names) -> base::Result<NoteReadAhead::Values> {
                          reads_.emplace_back(names.begin(), names.end());
                          NoteReadAhead::Values values;
                          for (const std::string& each : names)
                            if (const auto note = notes_.find(site + " " + each); note != notes_.end())
                              values.emplace(each, note->second);
                          return values;
                        });
  }

  NoteReadAhead ahead_;
  std::map<std::string, std::string> notes_;
  std::vector<std::vector<std::string>> reads_;
};

TEST_F(NoteReads, WhatTwoSitesAskForIsReadAheadForTheThird) {
  notes_ = {{"c robots", "1"}, {"c history", "2"}};
  for (const std::string site : {"a", "b", "c"}) {
    ahead_.enter(site);
    find(site, "robots");
    find(site, "page/of " + site);
    find(site, "history");
    find(site, "key");
    if (site != "c") ahead_.leave(site);
  }
  ASSERT_EQ(reads_.size(), 4U + 4U + 2U) << "names of the second are known when the third begins";
  EXPECT_EQ(reads_[8], (std::vector<std::string>{"robots", "history", "key"}));
  EXPECT_EQ(reads_[9], (std::vector<std::string>{"page/of c"}));
  EXPECT_EQ(find("c", "robots"), "1");
  EXPECT_EQ(find("c", "history"), "2");
  EXPECT_EQ(find("c", "key"), std::nullopt);
  EXPECT_EQ(reads_.size(), 10U);
}

TEST_F(NoteReads, ACommitMakesItReadAgain) {
  ahead_.enter("a");
  EXPECT_EQ(find("a", "x"), std::nullopt);
  notes_["a x"] = "new";
  ahead_.forget("a");
  EXPECT_EQ(find("a", "x"), "new");
  notes_["a x"] = "newer";
  ahead_.leave("a");
  EXPECT_EQ(find("a", "x"), "newer") << "another process may have the site";
  EXPECT_EQ(find("a", "x"), "newer");
  EXPECT_EQ(reads_.size(), 4U);
}

TEST_F(NoteReads, ACommitDuringAReadCounts) {
  ahead_.enter("a");
  const auto read = [&](std::span<const std::string>) -> base::Result<NoteReadAhead::Values> {
    ahead_.forget("a");
    return NoteReadAhead::Values{{"x", "before"}};
  };
  EXPECT_EQ(*ahead_.find("a", "x", read), "before");
  notes_["a x"] = "after";
  EXPECT_EQ(find("a", "x"), "after");
}

}  // namespace
}  // namespace sheaf::store::shared
