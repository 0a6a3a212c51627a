#include "shared_fixture.h"
#include "sheaf/store/shared/site_table.h"
#include "sheaf/store/site_notes.h"
#include "sheaf/store/work_share.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <string>
#include <vector>

// The list of sites of a shared store, and when each is due.
namespace sheaf::store {
namespace {

class SharedList : public SharedStoreTest {
 protected:
  static shared::SiteSource source(std::vector<std::string> sites) {
    return [sites = std::move(sites),
            at = std::size_t{0}]() mutable -> base::Result<std::optional<shared::ListedSite>> {
      if (at == sites.size()) return std::nullopt;
      const std::string& site = sites[at++];
      return shared::ListedSite{site, site + "/"};
    };
  }
  void add(std::vector<std::string> sites) {
    const auto added = shared::add_sites(place_->url(), source(std::move(sites)));
    ASSERT_TRUE(added) << added.error().message;
  }
  static void put_schedule(PageStore& store, const std::string& site, const SiteSchedule& schedule) {
    SectionEdit edit(site, "html");
    edit.put_note(kScheduleNote, encode(schedule));
    ASSERT_TRUE(store.commit(edit));
  }
  WorkShare* join(PageStore& store) {
    WorkShare* const share = store.work_share();
    EXPECT_TRUE(share->wait_for_part());
    for (const WorkShare::Part& part : share->parts()->owned) parts_.push_back(part.number);
    return share;
  }
  std::vector<std::string> due(WorkShare& share, std::size_t limit, std::int64_t until) {
    std::vector<ScheduledSite> sites = *share.first_due(parts_, limit, until);
    std::ranges::stable_sort(sites, {}, &ScheduledSite::due);
    std::vector<std::string> urls;
    for (const ScheduledSite& site : sites) urls.push_back(site.url);
    return urls;
  }

  std::vector<int> parts_;
};

TEST_F(SharedList, SitesAreGivenWhenTheyAreDue) {
  add({"https://a.example", "https://b.example", "https://c.example"});
  const auto store = must_open(*place_ / "store");
  WorkShare* const share = join(*store);
  EXPECT_EQ(parts_.size(), 8U);
  const std::int64_t now = sheaf::now().seconds;
  EXPECT_EQ(due(*share, 10, now + 1).size(), 3U) << "a site that was never pulled is due";
  EXPECT_TRUE(due(*share, 10, now - 100).empty()) << "but it is not late";
  put_schedule(*store, "https://a.example", {.next = {now + 300, 0}, .last = {now, 0}});
  put_schedule(*store, "https://b.example", {.next = {now + 200, 0}, .failures = 2, .last = {now, 0}});
  put_schedule(*store, "https://other.example", {.next = {now, 0}, .last = {now, 0}});
  EXPECT_EQ(due(*share, 10, now + 1), (std::vector<std::string>{"https://c.example/"}));
  EXPECT_EQ(due(*share, 10, now + 1000),
            (std::vector<std::string>{"https://c.example/", "https://b.example/", "https://a.example/"}));
  const auto totals = share->count({now + 1, now - 600, now});
  ASSERT_TRUE(totals) << totals.error().message;
  EXPECT_EQ(totals->sites, 3);
  EXPECT_EQ(totals->due, 1);
  EXPECT_EQ(totals->late, 0);
  EXPECT_EQ(totals->failing, 1);
  EXPECT_EQ(totals->pulled, 1);
  EXPECT_EQ(totals->failed, 1);
  EXPECT_EQ(totals->unfinished, 1);
  EXPECT_EQ(totals->still_failing, 0);
}

TEST_F(SharedList, ThreadsGetTheSameShare) {
  for (int i = 0; i < 10; ++i) {
    const auto store = must_open(*place_ / "store");
    std::latch both(2);
    const auto share = [&] {
      both.arrive_and_wait();
      return store->work_share();
    };
    auto other = std::async(std::launch::async, share);
    const WorkShare* const ours = share();
    ASSERT_EQ(other.get(), ours);
  }
}

TEST_F(SharedList, NotMoreOfEachPartThanAskedFor) {
  std::vector<std::string> sites;
  for (int i = 0; i < 200; ++i) sites.push_back(fmt::format("https://site{}.example", i));
  add(sites);
  const auto store = must_open(*place_ / "store");
  WorkShare* const share = join(*store);
  const auto some = share->first_due(parts_, 5, sheaf::now().seconds + 1);
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_EQ(some->size(), 40U);
  for (const ScheduledSite& site : *some) EXPECT_EQ(share->part_of(site.url), site.part);
  const auto one = share->first_due(std::vector{parts_[3]}, 1000, sheaf::now().seconds + 1);
  for (const ScheduledSite& site : *one) EXPECT_EQ(site.part, parts_[3]);
}

TEST_F(SharedList, AnotherIntervalAppliesAtOnce) {
  add({"https://a.example", "https://b.example", "https://c.example", "https://never.example"});
  const auto store = must_open(*place_ / "store");
  WorkShare* const share = join(*store);
  const std::int64_t now = sheaf::now().seconds;
  put_schedule(*store, "https://a.example", {.next = {now + 86'400, 0}, .last = {now, 0}});
  put_schedule(*store, "https://b.example", {.next = {now + 86'400, 0}, .failures = 1, .last = {now, 0}});
  put_schedule(*store, "https://c.example", {.next = {now + 9'000'000, 0}, .failures = 1, .last = {now, 0}});
  ASSERT_TRUE(share->bring_forward(parts_, {now + 3'000'000, 60}));
  EXPECT_TRUE(due(*share, 10, now - 100).empty()) << "the site that was never pulled is not late";
  EXPECT_EQ(due(*share, 10, now + 60),
            (std::vector<std::string>{"https://never.example/", "https://a.example/"}));
  EXPECT_EQ(due(*share, 10, now + 86'400).size(), 3U) << "a site that fails keeps its time";
  EXPECT_EQ(due(*share, 10, now + 3'000'000).size(), 4U) << "but not longer than that";
}

TEST_F(SharedList, ASiteThatIsListedAgainKeepsItsSchedule) {
  add({"https://a.example"});
  const auto store = must_open(*place_ / "store");
  WorkShare* const share = join(*store);
  const std::int64_t now = sheaf::now().seconds;
  put_schedule(*store, "https://a.example", {.next = {now + 300, 0}, .last = {now, 0}});
  EXPECT_EQ(shared::remove_sites(place_->url(), source({"https://a.example", "https://b.example"})), 1U);
  const std::string before = share->parts()->list;
  add({"https://a.example"});
  EXPECT_NE(share->parts()->list, before);
  EXPECT_TRUE(due(*share, 10, now + 299).empty());
  EXPECT_EQ(due(*share, 10, now + 300).size(), 1U);
  SectionEdit edit("https://a.example", "html");
  edit.remove_notes("");
  ASSERT_TRUE(store->commit(edit));
  EXPECT_EQ(due(*share, 10, now + 200).size(), 1U) << "without notes it was never pulled";
}

}  // namespace
}  // namespace sheaf::store
