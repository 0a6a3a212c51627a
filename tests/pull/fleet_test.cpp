#include "sheaf/pull/fleet.h"

#include "sheaf/http/listen_socket.h"
#include "sheaf/http/server.h"
#include "support/temp_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sheaf::pull {
namespace {

constexpr int kPages = 12;

/// A site of a few pages with a sitemap and no collections.
class SmallSite final : public http::Site {
 public:
  SmallSite() {
    auto sockets = http::listen_on("127.0.0.1:0");
    base_ = "http://" + http::describe_listener(sockets->front().get());
    std::string sitemap = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    for (int i = 0; i < kPages; ++i) {
      sitemap += fmt::format("<url><loc>{}/{}</loc></url>", base_, i);
      files_[fmt::format("/{}", i)] = fmt::format(
          "<html lang=en><title>Page {0}</title><main><h1>Page {0}</h1><p>What page {0} says is said here, "
          "in a "
          "sentence that is long enough.</p></main>",
          i);
    }
    files_["/sitemap.xml"] = sitemap + "</urlset>";
    server_ = *http::Server::start(std::move(*sockets), *this, metrics_, {});
  }

  http::Answer answer(const http::Request& request) override {
    http::Answer answer;
    const auto found = files_.find(std::string(request.path));
    if (found == files_.end()) return answer;
    answer.status = 200;
    answer.text = found->second;
    answer.content_type = request.path == "/sitemap.xml" ? "application/xml" : "text/html; charset=utf-8";
    return answer;
  }

  [[nodiscard]] base::Url url() const { return *base::Url::parse(base_); }

 private:
  std::string base_;
  std::map<std::string, std::string> files_;
  http::Metrics metrics_;
  std::unique_ptr<http::Server> server_;
};

class PullFleetThreads : public testing::Test {
 protected:
  FleetOptions options() {
    FleetOptions options;
    options.once = true;
    options.sites_at_once = 4;
    options.downloads = folder_.path() / "downloads";
    options.pull.fetch.allow_private = true;
    options.pull.fetch.gate = &gate_;
    options.pull.fetch.retry.tries = 1;
    options.pull.crawl.delay = std::chrono::milliseconds(0);
    options.on_report = [this](const PullReport& report) { reports_.push_back(report); };
    return options;
  }

  test::TempDir folder_;
  http::HostGate gate_{2, 8};
  std::vector<PullReport> reports_;
};

TEST_F(PullFleetThreads, SitesSideBySideAndOneThatIsNotThere) {
  std::vector<std::unique_ptr<SmallSite>> sites;
  std::vector<base::Url> urls;
  for (int i = 0; i < 6; ++i) {
    sites.push_back(std::make_unique<SmallSite>());
    urls.push_back(sites.back()->url());
  }
  urls.push_back(*base::Url::parse("http://127.0.0.1:1"));
  auto store = store::PageStore::open(folder_.path() / "store", store::Access::write);
  ASSERT_TRUE(store) << store.error().message;
  const auto summary = pull_many(*store, urls, options());
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->pulled, 6U);
  EXPECT_EQ(summary->failed, 1U);
  EXPECT_EQ(summary->sites, 7U);
  EXPECT_EQ(summary->not_due, 0U);
  const auto sections = store->sections();
  ASSERT_TRUE(sections);
  ASSERT_EQ(sections->size(), 6U);
  for (const store::SectionState& section : *sections) EXPECT_EQ(section.pages, kPages) << section.site;

  // Nobody is due so soon, and the failure is still known.
  const auto again = pull_many(*store, urls, options());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->pulled, 0U);
  EXPECT_EQ(again->failed, 0U) << "nothing was attempted, so nothing failed";
  EXPECT_EQ(again->not_due, 7U);
  EXPECT_EQ(again->still_failing, 1U);
  EXPECT_EQ(again->unfinished, 0U);
}

TEST_F(PullFleetThreads, WhoDoesNotAnswerIsLeftToTheSchedule) {
  const std::vector<base::Url> sites{*base::Url::parse("http://127.0.0.1:1")};
  auto store = store::PageStore::open(folder_.path() / "store", store::Access::write);
  ASSERT_TRUE(store) << store.error().message;
  FleetOptions fleet = options();
  fleet.pull.fetch.retry = {.tries = 6, .first = std::chrono::milliseconds(1)};
  base::Instant now = base::now();
  fleet.pull.clock = [&] { return now; };
  ASSERT_TRUE(pull_many(*store, sites, fleet));
  now.seconds += 86'400;
  ASSERT_TRUE(pull_many(*store, sites, fleet));
  ASSERT_EQ(reports_.size(), 2U);
  EXPECT_EQ(reports_[0].requests, 3U) << "all six tries are for those who answer";
  EXPECT_EQ(reports_[1].requests, 1U) << "whoever was not there last time is asked once";
  EXPECT_EQ(reports_[1].began, now);
}

TEST_F(PullFleetThreads, ASiteThatTakesLongGivesWayAndGoesOn) {
  const SmallSite site;
  auto store = store::PageStore::open(folder_.path() / "store", store::Access::write);
  ASSERT_TRUE(store);
  FleetOptions fleet = options();
  fleet.slice = std::chrono::seconds(0);  // nothing at all fits into it, so nothing is ever complete
  std::atomic<unsigned> looks = 0;
  fleet.sites_at_once = 1;
  fleet.pull.cancelled = [&] { return reports_.size() >= 3 || ++looks > 100'000; };
  const auto stopped = pull_many(*store, {site.url()}, fleet);
  ASSERT_TRUE(stopped) << stopped.error().message;
  EXPECT_EQ(stopped->unfinished, 1U);
  EXPECT_EQ(stopped->pulled + stopped->failed + stopped->not_due, 0U);
  ASSERT_GE(reports_.size(), 3U);
  EXPECT_TRUE(
      std::ranges::none_of(reports_, [](const PullReport& report) { return report.crawl->complete; }));
  reports_.clear();
  fleet.slice = std::chrono::seconds(600);
  fleet.pull.cancelled = {};
  const auto summary = pull_many(*store, {site.url()}, fleet);
  ASSERT_TRUE(summary);
  ASSERT_EQ(reports_.size(), 1U);
  EXPECT_TRUE(reports_.front().crawl->complete);
  EXPECT_EQ(reports_.front().crawl->pages, kPages);
}

TEST_F(PullFleetThreads, AListThatChangesIsFollowed) {
  const SmallSite stays;
  const SmallSite goes;
  const SmallSite comes;
  auto store = store::PageStore::open(folder_.path() / "store", store::Access::write);
  ASSERT_TRUE(store);
  FleetOptions fleet = options();
  fleet.once = false;
  FleetGauges gauges;
  fleet.gauges = &gauges;
  std::atomic<bool> done = false;
  fleet.reread = [&, handed_out = false]() mutable -> std::optional<std::vector<base::Url>> {
    if (reports_.size() < 2 || std::exchange(handed_out, true)) return std::nullopt;
    return std::vector{comes.url(), stays.url()};
  };
  fleet.on_report = [&](const PullReport& report) {
    reports_.push_back(report);
    done = report.site == comes.url().origin();
  };
  fleet.pull.cancelled = [&] { return done.load(); };
  ASSERT_TRUE(pull_many(*store, {stays.url(), goes.url()}, fleet));
  ASSERT_EQ(reports_.size(), 3U);
  EXPECT_EQ(reports_.back().site, comes.url().origin());
  EXPECT_EQ(gauges.sites, 2U);
  EXPECT_EQ(gauges.failing, 0U);
  EXPECT_EQ(gauges.running, 0U);
}

TEST_F(PullFleetThreads, FoldersOfSitesAreApart) {
  EXPECT_NE(folder_of_site("d", *base::Url::parse("https://example.com")),
            folder_of_site("d", *base::Url::parse("http://example.com")));
  EXPECT_EQ(folder_of_site("d", *base::Url::parse("https://[::1]:8443/x")).parent_path(), "d");
}

}  // namespace
}  // namespace sheaf::pull
