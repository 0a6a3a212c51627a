// A site published, served on this machine, pulled into a store and exported, through the public headers
// alone.
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <sheaf/sheaf.h>

#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using sheaf::test::TempDir;

std::string html_page(const std::string& title, const std::string& text) {
  return "<html lang=en><head><title>" + title +
         "</title><meta name=date content=2026-02-01></head><body><main><h1>" + title + "</h1><p>" + text +
         " It is long enough to be the content of this page.</p></main></body></html>";
}

/// A folder of pages, and a server for it on a free port.
class PublicRoundTrip : public testing::Test {
 protected:
  void SetUp() override {
    fs::permissions(folder_.path(), fs::perms::owner_all);
    fs::create_directories(folder_ / "site");
    write_page("index", "Start", "The first page.");
    write_page("about", "About", "The second page.");
    write_page("news", "News", "The third page.");
    auto server = sheaf::FolderServer::start(folder_ / "site", {.listen = "127.0.0.1:0"});
    ASSERT_TRUE(server) << server.error().message;
    server_.emplace(std::move(*server));
  }

  void write_page(const std::string& name, const std::string& title, const std::string& text) {
    folder_.write("site/" + name + ".html", html_page(title, text));
  }

  [[nodiscard]] sheaf::PublishReport publish(std::string_view time) const {
    const auto publisher =
        sheaf::Publisher::for_folder(folder_ / "site", server_->url(), folder_ / "site/scp", "all");
    EXPECT_TRUE(publisher) << publisher.error().message;
    sheaf::PublishOptions settings;
    settings.now = sheaf::parse_time(time)->instant;
    const auto result = publisher->run(settings);
    EXPECT_TRUE(result) << result.error().message;
    return result.value_or(sheaf::PublishReport{});
  }

  [[nodiscard]] sheaf::PullReport pull(sheaf::Store& store, sheaf::FetchPages pages) const {
    const sheaf::RequestOptions requests{.user_agent = "ExampleBot/1.0",
                                         .allow_private = true,
                                         .allow_http = true,
                                         .delay = std::chrono::milliseconds(0)};
    const auto result = sheaf::pull_site(store, server_->url(), requests, {.html = pages});
    EXPECT_TRUE(result) << result.error().message;
    return result.value_or(sheaf::PullReport{});
  }

  [[nodiscard]] std::string url(std::string_view path) const { return server_->url() + std::string(path); }

  TempDir folder_;
  std::optional<sheaf::FolderServer> server_;
};

TEST_F(PublicRoundTrip, PublishServePullGetExport) {
  const auto published = publish("2026-03-01T00:00:00Z");
  ASSERT_EQ(published.sections.size(), 1U);
  EXPECT_EQ(published.sections[0].pages, 3U);
  EXPECT_EQ(published.sections[0].written.size(), 2U) << "zstd and gzip";
  EXPECT_TRUE(published.has_changes());

  auto store = sheaf::Store::open(folder_ / "copy", sheaf::StoreAccess::write);
  ASSERT_TRUE(store) << store.error().message;
  const auto pulled = pull(*store, sheaf::FetchPages::never);
  EXPECT_TRUE(pulled.ok) << pulled.failure.message;
  EXPECT_EQ(pulled.route, sheaf::PullRoute::collections);
  ASSERT_EQ(pulled.sections.size(), 1U);
  EXPECT_EQ(pulled.sections[0].added, 3U);
  EXPECT_EQ(pulled.sections[0].proven, true);

  const auto sections = store->sections();
  ASSERT_TRUE(sections);
  ASSERT_EQ(sections->size(), 1U);
  EXPECT_EQ((*sections)[0].pages, 3U);

  const auto entry = store->get(url("/about.html"));
  ASSERT_TRUE(entry && *entry);
  sheaf::PageParser parser;
  const auto page = parser.parse((*entry)->json);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ((*page)->title, "About");
  EXPECT_FALSE(store->get(url("/nothing.html")).value());

  std::string lines;
  const auto exported = sheaf::export_lines(*store, {}, [&](std::string_view bytes) -> sheaf::Result<void> {
    lines += bytes;
    return {};
  });
  ASSERT_TRUE(exported) << exported.error().message;
  EXPECT_EQ(exported->pages, 3U);
  EXPECT_EQ(std::ranges::count(lines, '\n'), 3);
  const auto files = sheaf::export_markdown(*store, {}, folder_ / "pages");
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->pages, 3U);
  const auto parquet = sheaf::export_parquet(*store, {}, folder_ / "pages.parquet");
  ASSERT_TRUE(parquet) << parquet.error().message;
  EXPECT_EQ(parquet->pages, 3U);
  EXPECT_GT(fs::file_size(folder_ / "pages.parquet"), 100U);
  std::string wet;
  const auto warc =
      sheaf::export_warc(*store, {.limit = 2}, [&](std::string_view bytes) -> sheaf::Result<void> {
        wet += bytes;
        return {};
      });
  ASSERT_TRUE(warc) << warc.error().message;
  EXPECT_EQ(warc->pages, 2U);
  EXPECT_TRUE(wet.starts_with("\x1f\x8b"));
  const auto written = sheaf::export_collection(*store, {.filter = {.section = "all"}},
                                                {{folder_ / "copy.scp.zst", sheaf::Codec::zstd, {}}});
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_TRUE(sheaf::validate(folder_ / "copy.scp.zst")->is_strictly_valid());
  EXPECT_EQ(store->verify()->faults, std::vector<std::string>());
}

TEST_F(PublicRoundTrip, SearchFindsWhatTheIndexHas) {
  (void)publish("2026-03-01T00:00:00Z");
  auto store = sheaf::Store::open(folder_ / "copy", sheaf::StoreAccess::write);
  ASSERT_TRUE(store);
  ASSERT_TRUE(pull(*store, sheaf::FetchPages::never).ok);
  const auto too_early = store->search({.query = "page"});
  ASSERT_FALSE(too_early);
  EXPECT_EQ(too_early.error().code, sheaf::Errc::not_found);

  const auto built = store->update_index();
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->indexed, 3U);
  const auto found = store->search({.query = "\"third page\""});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->hits.size(), 1U);
  EXPECT_EQ(found->hits[0].title, "News");
  EXPECT_EQ(found->behind, 0U);
  const auto refused = store->search({.query = "\"third"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, sheaf::Errc::invalid_argument);

  write_page("news", "News", "Something else altogether.");
  (void)publish("2026-03-01T06:00:00Z");
  ASSERT_TRUE(pull(*store, sheaf::FetchPages::never).ok);
  EXPECT_EQ(store->search({.query = "page"})->behind, 1U);
  EXPECT_EQ(store->update_index()->indexed, 1U);
  EXPECT_EQ(store->search({.query = "altogether"})->hits.size(), 1U);
}

TEST_F(PublicRoundTrip, ChangesArriveAsADeltaAndInTheFeed) {
  (void)publish("2026-03-01T00:00:00Z");
  auto store = sheaf::Store::open(folder_ / "copy", sheaf::StoreAccess::write);
  ASSERT_TRUE(store);
  ASSERT_TRUE(pull(*store, sheaf::FetchPages::never).ok);
  const sheaf::FeedCursor seen = store->position().value();
  EXPECT_EQ(seen, 3U);

  write_page("about", "About us", "Another text.");
  fs::remove(folder_ / "site/news.html");
  write_page("jobs", "Jobs", "A new page.");
  const auto published = publish("2026-03-01T06:00:00Z");
  EXPECT_EQ(published.sections.at(0).changed, 1U);
  const auto pulled = pull(*store, sheaf::FetchPages::never);
  EXPECT_TRUE(pulled.ok) << pulled.failure.message;
  EXPECT_EQ(pulled.sections.at(0).changed, 1U);

  std::vector<std::string> changes;
  ASSERT_TRUE(store->changes(seen, [&](const sheaf::StoreChange& entry) -> sheaf::Result<bool> {
    changes.push_back(std::string(to_string(entry.kind)) + " " + entry.url.substr(entry.url.rfind('/')));
    return true;
  }));
  std::ranges::sort(changes);
  EXPECT_EQ(changes,
            (std::vector<std::string>{"added /jobs.html", "changed /about.html", "removed /news.html"}));

  const auto stopped = store->changes(0, [](const sheaf::StoreChange&) -> sheaf::Result<bool> {
    return sheaf::fail(sheaf::Errc::io, "the index is full");
  });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "the index is full");
  EXPECT_EQ(
      store->changes(99, [](const sheaf::StoreChange&) -> sheaf::Result<bool> { return true; }).error().code,
      sheaf::Errc::refused);
}

TEST_F(PublicRoundTrip, SiteWithoutCollectionsIsFetchedPageByPage) {
  folder_.write("site/sitemap.xml",
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>" +
                    url("/about.html") + "</loc></url><url><loc>" + url("/news.html") +
                    "</loc></url></urlset>");
  auto store = sheaf::Store::open(folder_ / "copy", sheaf::StoreAccess::write);
  ASSERT_TRUE(store);
  const auto pulled = pull(*store, sheaf::FetchPages::fallback);
  EXPECT_TRUE(pulled.ok) << pulled.failure.message;
  EXPECT_EQ(pulled.route, sheaf::PullRoute::html);
  EXPECT_TRUE(pulled.crawl->complete);
  EXPECT_EQ(store->sections()->at(0).pages, 3U) << "those that the sitemap lists, and the start page";
  EXPECT_TRUE(store->sections()->at(0).origin == sheaf::Origin::html);
}

TEST_F(PublicRoundTrip, ManySitesReportEachResult) {
  (void)publish("2026-03-01T00:00:00Z");
  auto store = sheaf::Store::open(folder_ / "copy", sheaf::StoreAccess::write);
  ASSERT_TRUE(store);
  const sheaf::RequestOptions requests{
      .user_agent = "ExampleBot/1.0", .allow_private = true, .allow_http = true};
  sheaf::FleetOptions fleet;
  std::vector<std::string> results;
  fleet.on_report = [&](const sheaf::PullReport& result) { results.push_back(result.site); };
  const auto first = sheaf::pull_sites(*store, {server_->url()}, requests, {}, fleet);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->pulled, 1U);
  EXPECT_EQ(results, std::vector<std::string>{server_->url()});
  EXPECT_EQ(sheaf::pull_sites(*store, {server_->url()}, requests)->not_due, 1U);
}

TEST_F(PublicRoundTrip, FaultOfTheSiteIsPartOfTheResult) {
  auto store = sheaf::Store::open(folder_ / "copy", sheaf::StoreAccess::write);
  ASSERT_TRUE(store);
  const auto pulled = pull(*store, sheaf::FetchPages::never);
  EXPECT_FALSE(pulled.ok);
  EXPECT_EQ(pulled.failure.code, sheaf::FailureCode::no_collections);
  EXPECT_FALSE(pulled.failure.message.empty());
  EXPECT_EQ(sheaf::pull_site(*store, "ftp://x.example").error().code, sheaf::Errc::invalid_argument);
}

TEST(PublicStore, SecondWriterAndMissingStore) {
  const TempDir folder;
  EXPECT_EQ(sheaf::Store::open(folder / "none", sheaf::StoreAccess::read).error().code,
            sheaf::Errc::not_found);
  const auto store = sheaf::Store::open(folder / "copy", sheaf::StoreAccess::write);
  ASSERT_TRUE(store);
  EXPECT_EQ(sheaf::Store::open(folder / "copy", sheaf::StoreAccess::write).error().code, sheaf::Errc::in_use);
}

TEST(PublicStore, CollectionThatIsNotNewerIsNotApplied) {
  const TempDir folder;
  const std::string monday = std::string(SHEAF_SOURCE_DIR) + "/examples/monday.scp";
  auto store = sheaf::Store::open(folder / "copy", sheaf::StoreAccess::write);
  ASSERT_TRUE(store);
  const auto first = store->apply("https://shop.example", "all", monday);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(first->is_applied());
  EXPECT_EQ(first->added, 6U);
  const auto again = store->apply("https://shop.example", "all", monday);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->is_applied());
  EXPECT_EQ(again->outcome, sheaf::ApplyOutcome::older);
  EXPECT_EQ(store->apply("https://shop.example", "blog", monday).error().code, sheaf::Errc::invalid_data);
}

TEST(PublicServe, WrongSettingsAreErrors) {
  EXPECT_EQ(sheaf::FolderServer::start("/no/such/folder", {.listen = "127.0.0.1:0"}).error().code,
            sheaf::Errc::not_found);
  EXPECT_FALSE(sheaf::FolderServer::start("/tmp", {.listen = "nonsense"}));
}

TEST(PublicServe, StopLeavesNothingRunning) {
  const TempDir folder;
  auto server = sheaf::FolderServer::start(folder.path(), {.listen = "127.0.0.1:0"});
  ASSERT_TRUE(server) << server.error().message;
  EXPECT_TRUE(server->url().starts_with("http://127.0.0.1:"));
  EXPECT_FALSE(server->problems().empty()) << "there is no sitemap";
  EXPECT_TRUE(server->stop(std::chrono::seconds(10)));
}

TEST(PublicPublish, ConfigErrorNamesTheLine) {
  const TempDir folder;
  const auto publisher = sheaf::Publisher::from_config(folder.write("sheaf.toml", "base = 7\n"));
  ASSERT_FALSE(publisher);
  EXPECT_NE(publisher.error().message.find("sheaf.toml:1"), std::string::npos) << publisher.error().message;
}

}  // namespace
