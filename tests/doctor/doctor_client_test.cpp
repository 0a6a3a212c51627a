#include "sheaf/doctor/doctor_report.h"
#include "sheaf/doctor/site_inspection.h"
#include "sheaf/http/server/server.h"
#include "sheaf/lab/deployment_server.h"
#include "support/scripted_web.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

namespace sheaf::doctor {
namespace {

InspectOptions loopback_options(test::ScriptedClock& clock) {
  InspectOptions options;
  options.fetch.allow_private = true;
  options.fetch.clock = &clock;
  options.fetch.allow_http = true;
  return options;
}

base::Result<SiteFacts> inspect_good_site(const InspectOptions& options,
                                          std::vector<lab::LoggedRequest>* log = nullptr) {
  auto server = lab::DeploymentServer::start(*lab::find_deployment("good"), sheaf::now());
  EXPECT_TRUE(server);
  auto facts = inspect_site(*base::Url::parse((*server)->url()), options);
  if (log != nullptr) *log = (*server)->log();
  return facts;
}

TEST(DoctorClient, KeepsTheDelayBetweenRequests) {
  test::ScriptedClock clock;
  InspectOptions options = loopback_options(clock);
  options.fetch.delay = std::chrono::seconds(7);
  const auto facts = inspect_good_site(options);
  ASSERT_TRUE(facts);
  ASSERT_GT(facts->requests, 20U);
  EXPECT_GE(clock.elapsed(), std::chrono::seconds(7) * (facts->requests - 1));
}

TEST(DoctorClient, MakesNoMoreRequestsThanAllowed) {
  test::ScriptedClock clock;
  InspectOptions options = loopback_options(clock);
  options.max_requests = 9;
  std::vector<lab::LoggedRequest> log;
  const auto facts = inspect_good_site(options, &log);
  ASSERT_TRUE(facts);
  EXPECT_LE(log.size(), 10U) << "a page and its redirect may be one over";
  EXPECT_FALSE(facts->unchecked.empty());
}

TEST(DoctorClient, TakesNoMoreTimeThanAllowed) {
  test::ScriptedClock clock;
  InspectOptions options = loopback_options(clock);
  options.fetch.delay = std::chrono::seconds(7);
  options.max_time = std::chrono::seconds(60);
  const auto facts = inspect_good_site(options);
  ASSERT_TRUE(facts);
  EXPECT_LT(clock.elapsed(), std::chrono::seconds(70));
  EXPECT_GT(facts->requests, 5U);
  ASSERT_FALSE(facts->unchecked.empty());
  EXPECT_EQ(facts->unchecked.back(), "the rest: the time limit of 60 seconds is reached");
}

// It sends robots.txt a little at a time, always fast enough for a transfer.
TEST(DoctorClient, ASiteThatNeverEndsIsAnError) {
  test::ScriptedWeb web;
  web.on_any([&](const test::SentRequest&) {
    web.clock().sleep(std::chrono::hours(1));
    return test::ScriptedResponse{.trouble = http::fetch::FetchTrouble::cancelled};
  });
  InspectOptions options;
  options.fetch = web.options();
  const auto facts = inspect_site(*base::Url::parse("https://slow.example/"), options);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().message,
            "https://slow.example/robots.txt did not answer within 900 seconds (--max-time)");
}

TEST(DoctorClient, FetchesNoMoreBytesThanAllowed) {
  test::ScriptedClock clock;
  InspectOptions options = loopback_options(clock);
  options.max_bytes = 6000;
  std::vector<lab::LoggedRequest> log;
  const auto facts = inspect_good_site(options, &log);
  ASSERT_TRUE(facts);
  EXPECT_FALSE(facts->unchecked.empty());
  EXPECT_LT(facts->bytes, 12'000U) << "the last transfer may end in the middle of a packet";
}

TEST(DoctorClient, TheDefaultsAreEnoughForAWholeSite) {
  test::ScriptedClock clock;
  std::vector<lab::LoggedRequest> log;
  const auto facts = inspect_good_site(loopback_options(clock), &log);
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->unchecked.empty());
  EXPECT_EQ(facts->requests, log.size());
  EXPECT_LT(log.size(), 60U);
  EXPECT_EQ(log.front().request.path, "/robots.txt");
}

TEST(DoctorClient, RefusesPrivateAddressesUnlessAllowed) {
  test::ScriptedClock clock;
  InspectOptions options = loopback_options(clock);
  options.fetch.allow_private = false;
  const auto facts = inspect_good_site(options);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, base::Errc::refused);
}

TEST(DoctorClient, CannotCheckASiteThatDoesNotAnswer) {
  test::ScriptedClock clock;
  std::string url;
  {
    auto server = lab::DeploymentServer::start(*lab::find_deployment("good"), sheaf::now());
    ASSERT_TRUE(server);
    url = (*server)->url();
  }
  const auto facts = inspect_site(*base::Url::parse(url), loopback_options(clock));
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, base::Errc::io);
}

TEST(DoctorClient, ASitemapMayBeGivenInsteadOfTheSite) {
  test::ScriptedClock clock;
  auto server = lab::DeploymentServer::start(*lab::find_deployment("good"), sheaf::now());
  ASSERT_TRUE(server);
  const auto facts =
      inspect_site(*base::Url::parse((*server)->url() + "/sitemap.xml"), loopback_options(clock));
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->sitemaps.advertised.collections.size(), 8U);
}

/// Answers 404 to everything.
class Nothing final : public http::server::RequestHandler {
 public:
  http::server::Response respond(const http::server::Request& /*request*/) override { return {}; }
};

// A real TLS server with a certificate that nobody trusts.
TEST(DoctorClient, ReportsACertificateThatIsNotTrusted) {
  auto sockets = http::server::listen_on("127.0.0.1:0");
  ASSERT_TRUE(sockets);
  const std::string address = http::server::describe_listener(sockets->front().get());
  http::server::ServerOptions server_options;
  auto files =
      http::server::load_tls_files(SHEAF_SOURCE_DIR "/tests/data/tls/loopback.pem",
                                   SHEAF_SOURCE_DIR "/tests/data/tls/loopback-key.pem", std::time(nullptr));
  ASSERT_TRUE(files) << files.error().message;
  server_options.tls = std::move(*files);
  Nothing handler;
  http::server::Metrics metrics;
  auto server = http::server::Server::start(std::move(*sockets), handler, metrics, std::move(server_options));
  ASSERT_TRUE(server) << server.error().message;
  test::ScriptedClock clock;
  InspectOptions options = loopback_options(clock);
  options.fetch.allow_http = false;
  const auto facts = inspect_site(*base::Url::parse("https://" + address), options);
  ASSERT_TRUE(facts) << facts.error().message;
  const DoctorReport report = diagnose(*facts);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings.front().check->code, "tls-certificate");
}

TEST(DoctorReport, EveryCheckHasTextsAndFixes) {
  for (const Check* check : all_checks()) {
    EXPECT_FALSE(check->title.empty() || check->title.ends_with('.')) << check->code;
    EXPECT_TRUE(check->explanation.ends_with('.')) << check->code;
    EXPECT_FALSE(advice_of(check->remedy).empty()) << check->code;
    for (const ServerKind server : kServers)
      EXPECT_FALSE(fix_for(check->remedy, server).empty()) << check->code;
  }
}

TEST(DoctorReport, HtmlHasNoMarkupFromTheSite) {
  SiteFacts facts{.site = *base::Url::parse("http://example.com/")};
  facts.robots.access = site::RobotsAccess::read;
  facts.robots.get.head.status = 200;
  facts.robots.get.head.headers = {
      {"content-type", "text/html; charset=\"><script>alert(1)</script>\x01\xff"}};
  const std::string html = report_as_html(diagnose(facts));
  EXPECT_TRUE(html.contains("robots-html"));
  EXPECT_TRUE(html.contains("&lt;script&gt;"));
  EXPECT_FALSE(html.contains("<script"));
  EXPECT_FALSE(html.contains('\x01') || html.contains('\xff'));
}

TEST(DoctorReport, SaysWhatTheLargestSectionSaves) {
  SiteFacts facts{.site = *base::Url::parse("https://example.com/")};
  facts.sections = {{.name = "news", .complete = true, .pages = 3, .snapshot_size = 100},
                    {.name = "all", .complete = true, .pages = 50, .snapshot_size = 2048},
                    {.name = "old", .complete = false, .pages = 90, .snapshot_size = 5000}};
  EXPECT_FALSE(diagnose(facts).saving) << "no page was fetched";
  facts.pages = {{.fate = crawl::PageOutcome::stored, .bytes = 1000},
                 {.fate = crawl::PageOutcome::missing, .bytes = 9},
                 {.in_collection = false, .fate = crawl::PageOutcome::stored, .bytes = 9},
                 {.fate = crawl::PageOutcome::stored, .bytes = 3096}};
  const auto saving = diagnose(facts).saving;
  ASSERT_TRUE(saving);
  EXPECT_EQ(describe_saving(*saving),
            "section all: 50 pages in a snapshot of 2.0 KiB; one by one they take about 100.0 KiB (estimated "
            "from 2 pages)");
  EXPECT_TRUE(report_as_html(diagnose(facts)).contains("50 pages in a snapshot of 2.0 KiB"));
}

// A sitemap without collections is often made by the site's program, for each request: nothing to fix.
TEST(DoctorReport, OnlySitemapsThatOfferCollectionsNeedValidators) {
  const auto reported = [](std::vector<std::string> offering) {
    SiteFacts facts{.site = *base::Url::parse("https://example.com/")};
    for (const char* url : {"https://example.com/wp-sitemap.xml", "https://example.com/sitemap.xml"}) {
      facts.sitemaps.files.push_back({.url = url});
      facts.sitemaps.files.back().head.status = 200;
    }
    facts.sitemaps.advertised.collections.emplace_back().sitemaps = std::move(offering);
    std::vector<std::string> urls;
    for (const Diagnosis& finding : diagnose(facts).findings)
      if (finding.check->code == "sitemap-no-validators")
        for (const Occurrence& place : finding.places) urls.push_back(place.url);
    return urls;
  };
  EXPECT_EQ(reported({}), std::vector<std::string>{});
  EXPECT_EQ(reported({"https://example.com/sitemap.xml"}),
            std::vector<std::string>{"https://example.com/sitemap.xml"});
}

// The deltas that a long one was made of are deleted earlier. The oldest that is left follows on nothing.
TEST(DoctorReport, ALongDeltaBesideShortOnesLeavesNoGap) {
  const auto has_gap = [](std::vector<std::pair<int, int>> deltas) {
    SiteFacts facts{.site = *base::Url::parse("https://example.com/")};
    facts.sections.emplace_back().name = "all";
    for (const auto& [since, generated] : deltas) {
      site::AdvertisedCollection& offer = facts.sections.front().offers.emplace_back();
      offer.section = "all";
      offer.type = model::CollectionType::delta;
      offer.since = Instant{since * 86'400, 0};
      offer.generated = Instant{generated * 86'400, 0};
    }
    return std::ranges::any_of(diagnose(facts).findings,
                               [](const Diagnosis& finding) { return finding.check->code == "delta-gap"; });
  };
  EXPECT_FALSE(has_gap({{0, 28}, {28, 56}, {49, 56}, {54, 55}, {55, 56}, {56, 57}}));
  EXPECT_TRUE(has_gap({{0, 28}, {49, 56}, {54, 55}, {55, 56}, {56, 57}})) << "from 28 to 49";
  EXPECT_TRUE(has_gap({{0, 28}, {28, 56}, {57, 58}}));
}

TEST(DoctorReport, TheServerIsKnownByItsHeader) {
  const auto named = [](std::string name) {
    return recognise_server({.status = 200, .headers = {{"server", std::move(name)}}});
  };
  EXPECT_EQ(named("nginx/1.22.1"), ServerKind::nginx);
  EXPECT_EQ(named("Caddy"), ServerKind::caddy);
  EXPECT_EQ(named("Apache/2.4 (Debian)"), ServerKind::apache);
  EXPECT_EQ(named("AmazonS3"), ServerKind::s3);
  EXPECT_EQ(named("cloudflare"), ServerKind::cloudflare);
  EXPECT_EQ(named("sheaf"), ServerKind::unknown);
}

TEST(DoctorText, SharedWords) {
  EXPECT_DOUBLE_EQ(
      share_of_words("river bridges since always standing", "<p>River Bridges since always standing</p>"), 1);
  EXPECT_DOUBLE_EQ(share_of_words("alpha bravo charlie delta echoes foxtrot golfing hotels", "alpha bravo"),
                   0.25);
  EXPECT_DOUBLE_EQ(share_of_words("too few words", "nothing"), 1);
  EXPECT_DOUBLE_EQ(share_of_words("", ""), 1);
}

}  // namespace
}  // namespace sheaf::doctor
