#include "sheaf/pull/fleet.h"

#include "sheaf/http/server/server.h"
#include "sheaf/store/open/open_store.h"
#include "sheaf/store/site_notes.h"
#include "support/raw_server.h"
#include "support/temp_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::pull {
namespace {

constexpr int kPages = 12;

/// A site of a few pages with a sitemap and no collections.
class SmallSite final : public http::server::RequestHandler {
 public:
  SmallSite() {
    auto sockets = http::server::listen_on("127.0.0.1:0");
    base_ = "http://" + http::server::describe_listener(sockets->front().get());
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
    server_ = *http::server::Server::start(std::move(*sockets), *this, metrics_, {});
  }

  http::server::Response respond(const http::server::Request& request) override {
    http::server::Response answer;
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
  http::server::Metrics metrics_;
  std::unique_ptr<http::server::Server> server_;
};

class PullFleetThreads : public testing::Test {
 protected:
  FleetJob options() {
    FleetJob options;
    options.once = true;
    options.sites_at_once = 4;
    options.downloads = folder_.path() / "downloads";
    options.pull.fetch.allow_private = true;
    options.pull.fetch.gate = &gate_;
    options.pull.fetch.tries = 1;
    options.pull.fetch.delay = std::chrono::milliseconds(0);
    options.on_report = [this](const PullReport& report) { reports_.push_back(report); };
    return options;
  }

  test::TempDir folder_;
  http::fetch::HostGate gate_{2, 8};
  std::vector<PullReport> reports_;
};

TEST_F(PullFleetThreads, SitesInParallelAndOneThatDoesNotExist) {
  std::vector<std::unique_ptr<SmallSite>> sites;
  std::vector<base::Url> urls;
  for (int i = 0; i < 6; ++i) {
    sites.push_back(std::make_unique<SmallSite>());
    urls.push_back(sites.back()->url());
  }
  urls.push_back(*base::Url::parse("http://127.0.0.1:1"));
  const auto opened = store::open_store((folder_.path() / "store").string(), StoreAccess::write);
  ASSERT_TRUE(opened) << opened.error().message;
  store::PageStore* store = opened->get();
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

  // No site is due so soon, and the failure is still recorded.
  const auto again = pull_many(*store, urls, options());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->pulled, 0U);
  EXPECT_EQ(again->failed, 0U) << "nothing was attempted, so nothing failed";
  EXPECT_EQ(again->not_due, 7U);
  EXPECT_EQ(again->still_failing, 1U);
  EXPECT_EQ(again->unfinished, 0U);
}

// Its schedule is stored, so no later run pulls it soon: without this report there would be none.
TEST_F(PullFleetThreads, APullThatEndedBeforeTheStopIsReported) {
  const SmallSite site;
  const auto store = store::open_store((folder_.path() / "store").string(), StoreAccess::write);
  ASSERT_TRUE(store) << store.error().message;
  FleetJob fleet = options();
  fleet.pull.cancelled = [&] {
    const auto note = (*store)->note(site.url().origin(), store::kScheduleNote);
    return note && note->has_value();
  };
  const auto summary = pull_many(**store, {site.url()}, fleet);
  ASSERT_TRUE(summary) << summary.error().message;
  ASSERT_EQ(reports_.size(), 1U);
  EXPECT_TRUE(reports_[0].ok);
}

TEST_F(PullFleetThreads, AnErrorOfOneSiteIsItsOwn) {
  const SmallSite thrower;
  const SmallSite without_folder;
  const SmallSite sound;
  const auto opened = store::open_store((folder_.path() / "store").string(), StoreAccess::write);
  ASSERT_TRUE(opened) << opened.error().message;
  store::PageStore* store = opened->get();
  FleetJob fleet = options();
  fleet.sites_at_once = 1;
  // An exception, as from a bug or exhausted memory, during the first site's crawl, while the queue of pages
  // is full.
  fleet.pull.fetch.connections = 1;
  bool thrown = false;
  fleet.pull.progress = [&](const PullProgress&) {
    if (!std::exchange(thrown, true)) throw std::runtime_error("a bug");
  };
  // And a file where the second site's folder should be.
  std::filesystem::create_directories(fleet.downloads);
  std::ofstream(folder_of_site(fleet.downloads, without_folder.url())) << "in the way";
  const auto summary = pull_many(*store, {thrower.url(), without_folder.url(), sound.url()}, fleet);
  ASSERT_TRUE(summary) << summary.error().message;
  ASSERT_EQ(reports_.size(), 3U);
  EXPECT_EQ(reports_[0].failure.code, FailureCode::internal);
  EXPECT_NE(reports_[0].failure.message.find("a bug"), std::string::npos);
  EXPECT_TRUE(reports_[2].ok) << reports_[2].failure.message;
  EXPECT_GE(summary->pulled, 1U);
  EXPECT_EQ(store->section(sound.url().origin(), kHtmlSection).value()->pages, kPages);
}

TEST_F(PullFleetThreads, WhoDoesNotAnswerIsLeftToTheSchedule) {
  const std::vector<base::Url> sites{*base::Url::parse("http://127.0.0.1:1")};
  const auto opened = store::open_store((folder_.path() / "store").string(), StoreAccess::write);
  ASSERT_TRUE(opened) << opened.error().message;
  store::PageStore* store = opened->get();
  FleetJob fleet = options();
  fleet.pull.fetch.tries = 6;
  fleet.pull.fetch.retry = {.first = std::chrono::milliseconds(1)};
  Instant now = sheaf::now();
  fleet.pull.clock = [&] { return now; };
  ASSERT_TRUE(pull_many(*store, sites, fleet));
  now.seconds += 86'400;
  ASSERT_TRUE(pull_many(*store, sites, fleet));
  ASSERT_EQ(reports_.size(), 2U);
  EXPECT_EQ(reports_[0].requests, 3U) << "all six tries are for those who answer";
  EXPECT_EQ(reports_[1].requests, 1U) << "a site that did not respond last time gets one request";
  EXPECT_EQ(reports_[1].began, now);
}

TEST_F(PullFleetThreads, ASlowSiteYieldsItsSlotAndContinues) {
  const SmallSite site;
  const auto opened = store::open_store((folder_.path() / "store").string(), StoreAccess::write);
  ASSERT_TRUE(opened) << opened.error().message;
  store::PageStore* store = opened->get();
  FleetJob fleet = options();
  fleet.slice = std::chrono::seconds(0);  // too short for anything, so no crawl is ever complete
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
  const auto opened = store::open_store((folder_.path() / "store").string(), StoreAccess::write);
  ASSERT_TRUE(opened) << opened.error().message;
  store::PageStore* store = opened->get();
  FleetJob fleet = options();
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

TEST_F(PullFleetThreads, PullsCanBeAskedForMeanwhile) {
  const SmallSite listed;
  const SmallSite other;
  const auto opened = store::open_store((folder_.path() / "store").string(), StoreAccess::write);
  ASSERT_TRUE(opened) << opened.error().message;
  store::PageStore* store = opened->get();
  FleetRequests requests;
  FleetJob fleet = options();
  fleet.once = false;
  fleet.requests = &requests;
  std::atomic<bool> done = false;
  fleet.pull.cancelled = [&] { return done.load(); };
  std::vector<base::Result<PullReport>> answers;
  {
    const std::jthread client([&] {  // may run before the fleet starts
      answers.push_back(requests.pull_now({.site = listed.url()}));
      answers.push_back(requests.pull_now({.site = other.url()}));
      answers.push_back(requests.pull_now({.site = listed.url(), .sections = {"blog"}}));
      answers.push_back(requests.pull_now({.site = other.url(), .html = FetchPages::never}));
      done = true;
    });
    const auto summary = pull_many(*store, {listed.url()}, fleet);
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->sites, 1U) << "the other one is not on the list";
    EXPECT_EQ(summary->pulled, 1U);
  }
  ASSERT_EQ(answers.size(), 4U);
  for (const auto& answer : answers) ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_TRUE(answers[0]->ok && answers[1]->ok);
  EXPECT_EQ(answers[2]->failure.code, FailureCode::no_collections);
  EXPECT_EQ(answers[3]->failure.code, FailureCode::no_collections);
  EXPECT_EQ(store::read_schedule(*store, listed.url().origin()).value()->failures, 0U)
      << "a section is not the site";
  EXPECT_FALSE(store::read_schedule(*store, other.url().origin()).value())
      << "a site that is not on the list has no schedule";
  EXPECT_EQ(requests.pull_now({.site = other.url()}).error().code, base::Errc::refused)
      << "the fleet has ended";
}

/// A site that drips one of its files, ten bytes at a time, and never ends.
class Tarpit {
 public:
  explicit Tarpit(std::string dripped)
      : dripped_(std::move(dripped)),
        server_([this](const std::string& request, const test::RawConnection& connection) {
          answer(test::path_of(request), connection);
        }) {}

  [[nodiscard]] base::Url url() const { return *base::Url::parse(server_.url("")); }

 private:
  void answer(const std::string& path, const test::RawConnection& connection) const {
    if (path == dripped_) {
      // A transfer of another type would be ended after its headers.
      connection.write(fmt::format("HTTP/1.1 200 OK\r\nContent-Type: {}\r\n\r\n",
                                   path == "/page" ? "text/html" : "text/plain"));
      while (connection.write(std::string(10, '\n')))
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return;
    }
    const std::string base = server_.url("");
    std::string body;
    if (path == "/sitemap.xml")
      body = fmt::format(
          R"(<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0">)"
          R"({}<url><loc>{}/page</loc></url></urlset>)",
          dripped_ != "/all.scp"
              ? ""
              : fmt::format(R"(<scp:collection section="all" type="snapshot" url="{}/all.scp" )"
                            R"(generated="2026-01-01T00:00:00Z" size="1000" pages="1"/>)",
                            base),
          base);
    connection.write(fmt::format("HTTP/1.1 {}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{}",
                                 body.empty() ? "404 Not Found" : "200 OK", body.size(), body));
  }

  std::string dripped_;
  test::RawServer server_;
};

TEST_F(PullFleetThreads, MoreTarpitsThanPlacesDoNotStopTheOthers) {
  // Two of each, so that neither lane has room for all of them, and without a deadline.
  std::vector<std::unique_ptr<Tarpit>> tarpits;
  std::vector<base::Url> sites;
  for (const char* path : {"/robots.txt", "/sitemap.xml", "/page", "/all.scp"})
    for (int i = 0; i < 2; ++i) sites.push_back(tarpits.emplace_back(std::make_unique<Tarpit>(path))->url());
  const SmallSite first;
  const SmallSite last;
  sites.insert(sites.begin() + 4, first.url());
  sites.push_back(last.url());
  const auto opened = store::open_store((folder_.path() / "store").string(), StoreAccess::write);
  ASSERT_TRUE(opened) << opened.error().message;
  store::PageStore* store = opened->get();
  FleetJob fleet = options();
  fleet.sites_at_once = 2;
  fleet.patience = std::chrono::milliseconds(100);
  fleet.pull.fetch.pace.grace = std::chrono::hours(1);
  fleet.pull.fetch.timeout = std::chrono::hours(1);
  std::atomic<unsigned> healthy = 0;
  fleet.on_report = [&](const PullReport& report) {
    if (report.ok && (report.site == first.url().origin() || report.site == last.url().origin())) ++healthy;
  };
  fleet.pull.cancelled = [&] { return healthy >= 2; };
  const auto summary = pull_many(*store, sites, fleet);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->pulled, 2U);
  EXPECT_EQ(summary->unfinished, 8U);
}

TEST_F(PullFleetThreads, TarpitsFailWithTheirReason) {
  std::vector<std::unique_ptr<Tarpit>> tarpits;
  std::vector<base::Url> sites;
  for (const char* path : {"/robots.txt", "/sitemap.xml", "/all.scp"})
    sites.push_back(tarpits.emplace_back(std::make_unique<Tarpit>(path))->url());
  const auto opened = store::open_store((folder_.path() / "store").string(), StoreAccess::write);
  ASSERT_TRUE(opened) << opened.error().message;
  store::PageStore* store = opened->get();
  FleetJob fleet = options();
  fleet.sites_at_once = 1;
  fleet.pull.html = FetchPages::never;
  fleet.pull.fetch.pace = {.grace = std::chrono::milliseconds(1500), .minimum_rate = std::uint64_t{1} << 20};
  const auto summary = pull_many(*store, sites, fleet);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->failed, 3U);
  std::map<std::string, PullReport> by_site;
  for (PullReport& report : reports_) by_site.emplace(report.site, std::move(report));
  EXPECT_EQ(by_site[sites[0].origin()].failure.code, FailureCode::too_slow);
  EXPECT_FALSE(by_site[sites[1].origin()].ok);
  EXPECT_EQ(by_site[sites[2].origin()].failure.code, FailureCode::too_slow);
}

TEST_F(PullFleetThreads, FoldersOfSitesAreApart) {
  EXPECT_NE(folder_of_site("d", *base::Url::parse("https://example.com")),
            folder_of_site("d", *base::Url::parse("http://example.com")));
  EXPECT_EQ(folder_of_site("d", *base::Url::parse("https://[::1]:8443/x")).parent_path(), "d");
}

}  // namespace
}  // namespace sheaf::pull
