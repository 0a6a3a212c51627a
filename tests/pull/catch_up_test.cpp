// Clients that come back after days or months, at a site that publish updates every day: real runs of publish
// and pull over a scripted web and clock. Wherever a client begins, it must end with the site.
#include "sheaf/publish/publisher.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/open/open_store.h"
#include "support/scripted_web.h"
#include "support/temp_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sheaf::pull {
namespace {

namespace fs = std::filesystem;

const std::string kChangingSite = "https://example.com";

/// A site on a scripted web that is published again after each day.
class ChangingSite {
 public:
  ChangingSite() {
    fs::create_directories(folder_ / "public");
    const std::string robots = "Sitemap: https://example.com/sitemap.xml\n";
    folder_.write("public/robots.txt", robots);
    web_.put(kChangingSite + "/robots.txt", {.body = robots});
    for (int i = 0; i < 60; ++i) add();
  }

  void live_a_day() {
    now_.seconds += 86'400;
    edit(pages_.begin()->first);  // one page changes every day
    for (int i = 0; i < 2; ++i) edit(any());
    if (random_() % 2 == 0) add();
    if (random_() % 3 == 0) remove();
    if (random_() % 5 == 0 && !gone_.empty()) bring_back();
  }

  void publish() {
    auto config =
        publish::config_for_folder(folder_ / "public", kChangingSite, folder_ / "public/scp", "site");
    config->codecs = {format::Codec::zstd};
    PublishOptions options;
    options.now = now_;
    const auto report = publish::publish(*config, options);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->notes, std::vector<std::string>{});
    put_files();
  }

  test::ScriptedWeb& web() { return web_; }
  [[nodiscard]] Instant now() const { return now_; }
  /// URLs and texts.
  [[nodiscard]] const std::map<std::string, std::string>& pages() const { return pages_; }

 private:
  void put_files() {
    web_.put(kChangingSite + "/sitemap.xml", {.body = test::read_file(folder_ / "public/sitemap.xml")});
    std::set<std::string> there;
    for (const auto& file : fs::directory_iterator(folder_ / "public/scp")) {
      const std::string url = kChangingSite + "/scp/" + file.path().filename().string();
      if (!offered_.contains(url)) web_.put(url, {.body = test::read_file(file.path())});
      there.insert(url);
    }
    for (const std::string& url : offered_)
      if (!there.contains(url)) web_.remove(url);
    offered_ = there;
  }

  std::string any() {
    auto page = pages_.begin();
    std::advance(page, static_cast<long>(random_() % pages_.size()));
    return page->first;
  }
  void write(const std::string& url, const std::string& text) {
    pages_[url] = text;
    folder_.write(
        "public/" + url.substr(kChangingSite.size() + 1),
        fmt::format("<!doctype html><html lang=en><title>T</title><main><h1>T</h1><p>{}</p></main>", text));
  }
  void edit(const std::string& url) {
    std::string text = fmt::format("Edition {} of this page:", ++editions_);
    for (int i = 0; i < 60; ++i) text += fmt::format(" word{}", random_());
    write(url, text + ".");
  }
  void add() { edit(fmt::format("{}/p{}.html", kChangingSite, ++numbers_)); }
  void remove() {
    const auto page = std::next(pages_.begin(), 1 + static_cast<long>(random_() % (pages_.size() - 1)));
    fs::remove(folder_ / "public" / page->first.substr(kChangingSite.size() + 1));
    gone_.insert(*page);
    pages_.erase(page);
  }
  void bring_back() {
    const auto [url, text] = *gone_.begin();
    gone_.erase(gone_.begin());
    write(url, text);
  }

  test::TempDir folder_;
  test::ScriptedWeb web_;
  std::mt19937 random_{365};
  std::map<std::string, std::string> pages_;
  std::map<std::string, std::string> gone_;
  std::set<std::string> offered_;  ///< collections on the web
  int numbers_ = 0;
  int editions_ = 0;
  Instant now_{1'800'000'000, 0};
};

/// A store with a copy of the site, which is brought up to date now and then.
class Follower {
 public:
  Follower() : store_(store::open_store((folder_ / "store").string(), StoreAccess::write).value()) {}

  PullReport pull(ChangingSite& site) {
    SitePullOptions options;
    options.fetch = site.web().options();
    options.clock = [&] { return site.now(); };
    auto report = pull_site(*store_, *base::Url::parse(kChangingSite), folder_ / "files", options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : PullReport{};
  }

  /// What is not as on the site; empty if it is a true copy.
  [[nodiscard]] std::string difference(const ChangingSite& site) const {
    std::size_t count = 0;
    std::string wrong;
    const auto walked = store_->each_page({}, [&](const store::StoredPage& page) -> base::Result<bool> {
      ++count;
      const auto there = site.pages().find(page.url);
      if (there == site.pages().end()) {
        wrong = page.url + " was removed";
      } else if (page.json.find(there->second) == std::string::npos) {
        wrong = page.url + " is another edition";
      }
      return wrong.empty();
    });
    if (!walked) return walked.error().message;
    if (wrong.empty() && count != site.pages().size()) wrong = fmt::format("{} pages", count);
    return wrong;
  }

 private:
  test::TempDir folder_;
  std::unique_ptr<store::PageStore> store_;
};

TEST(CatchUp, WhereverAClientBeginsItEndsWithTheSite) {
  ChangingSite site;
  std::mt19937 random(7);
  std::map<int, std::vector<std::unique_ptr<Follower>>> visits;  // by day
  constexpr int kLastDay = 75;
  constexpr int kAbsences[] = {1, 2, 7, 13, 30, 45};
  int after_a_month = 0;
  for (int day = 0; day <= kLastDay; ++day) {
    if (day > 0) site.live_a_day();
    site.publish();
    if (HasFatalFailure()) return;
    if (day % 4 == 0) visits[day].push_back(std::make_unique<Follower>());
    for (std::unique_ptr<Follower>& follower : visits[day]) {
      const PullReport report = follower->pull(site);
      ASSERT_TRUE(report.ok) << "day " << day << ": " << report.failure.message;
      EXPECT_EQ(report.sections.front().proven, true);
      EXPECT_FALSE(report.sections.front().resynchronised) << "day " << day;
      ASSERT_EQ(follower->difference(site), "") << "day " << day;
      const int next = std::min(day + kAbsences[random() % std::size(kAbsences)], kLastDay);
      if (next > day) visits[next].push_back(std::move(follower));
      after_a_month += next - day >= 30 ? 1 : 0;
    }
    visits.erase(day);
  }
  EXPECT_GT(after_a_month, 5);
}

TEST(CatchUp, AMonthIsAFewRequests) {
  ChangingSite site;
  site.publish();
  Follower month;
  Follower week;
  for (int day = 1; day <= 60; ++day) {
    site.live_a_day();
    site.publish();
    if (day == 30) month.pull(site);
    if (day == 53) week.pull(site);
  }
  const PullReport after_a_week = week.pull(site);
  EXPECT_EQ(after_a_week.sections.front().plan.kind, PlanKind::deltas);
  EXPECT_LE(after_a_week.sections.front().plan.steps.size(), 7U);
  const PullReport after_a_month = month.pull(site);
  EXPECT_EQ(after_a_month.sections.front().plan.kind, PlanKind::deltas);
  EXPECT_LE(after_a_month.sections.front().plan.steps.size(), 14U) << "of 30 days";
  EXPECT_EQ(week.difference(site), "");
  EXPECT_EQ(month.difference(site), "");
}

}  // namespace
}  // namespace sheaf::pull
