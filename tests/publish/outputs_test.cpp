// [outputs]: llms.txt, Markdown files, the feed of changes, and IndexNow.
#include "publish/published_site.h"
#include "sheaf/publish/outputs/site_outputs.h"
#include "support/scripted_web.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

TEST(MarkdownFileNames, FollowTheUrl) {
  const std::string base = "https://example.com/";
  EXPECT_EQ(markdown_file_of(base, base), "index.html.md");
  EXPECT_EQ(markdown_file_of(base + "guide/", base), "guide/index.html.md");
  EXPECT_EQ(markdown_file_of(base + "about.html", base), "about.html.md");
  EXPECT_EQ(markdown_file_of(base + "a/b", base), "a/b.md");
  EXPECT_EQ(markdown_file_of(base + "%C3%A4", base), "\xC3\xA4.md");
}

TEST(MarkdownFileNames, AreNeverOutsideTheFolder) {
  const std::string base = "https://example.com/";
  for (const std::string path :
       {"%2e%2e/x", "a/%2E%2E/b", "..%2fx", "a%2fb", "a%5cb", ".hidden", "a//b", "x?y=1", "%00", "a/%0a"})
    EXPECT_EQ(markdown_file_of(base + path, base), std::nullopt) << path;
  EXPECT_EQ(markdown_file_of("https://other.example/x", base), std::nullopt);
  EXPECT_EQ(markdown_file_of(base + std::string(300, 'a'), base), std::nullopt);
}

TEST(LlmsText, EscapesAndCounts) {
  const std::string text = write_llms_text({.title = "A [site]",
                                            .summary = "Two\nlines",
                                            .sitemap_url = "https://e.example/s.xml",
                                            .folder_url = "https://e.example/"},
                                           {{.name = "docs",
                                             .pages = {{.url = "https://e.example/b(1)",
                                                        .title = "B]",
                                                        .description = "x *y*",
                                                        .modified = "",
                                                        .file = ""},
                                                       {.url = "https://e.example/a",
                                                        .title = "",
                                                        .description = "",
                                                        .modified = "",
                                                        .file = "a b.md"}},
                                             .total = 5},
                                            {.name = "empty", .pages = {}, .total = 0}});
  EXPECT_TRUE(text.starts_with("# A \\[site\\]\n\n> Two lines\n"));
  EXPECT_TRUE(
      text.contains("\n## docs\n\n- [https://e.example/a](https://e.example/a%20b.md)\n- "
                    "[B\\]](https://e.example/b%281%29): x \\*y\\*\n"))
      << text;
  EXPECT_TRUE(text.contains("3 pages more") || text.contains("3 pages")) << text;
  EXPECT_FALSE(text.contains("empty"));
}

TEST(AtomFeed, HasChangesAndRemovals) {
  const std::string feed =
      write_atom_feed({.title = "A & B", .site_url = "https://e.example/", .feed_url = "https://e.example/f"},
                      {{.url = "https://e.example/x?a&b",
                        .title = "<X>",
                        .description = "",
                        .modified = "2026-01-02T00:00:00Z",
                        .file = ""}},
                      {{.url = "https://e.example/gone", .removed_at = {1'800'000'000, 0}}});
  EXPECT_TRUE(feed.contains("<title>A &amp; B</title>"));
  EXPECT_TRUE(feed.contains("<title>&lt;X&gt;</title>"));
  EXPECT_TRUE(
      feed.contains("<at:deleted-entry ref=\"https://e.example/gone\" when=\"2027-01-15T08:00:00Z\"/>"));
  EXPECT_TRUE(feed.contains("<updated>2027-01-15T08:00:00Z</updated>"));
}

class PublishOutputs : public testing::Test {
 protected:
  PublishOutputs() {
    site_.on_config([this](PublishConfig& config) {
      config.outputs = outputs_;
      change_(config);
    });
    outputs_ = {.llms_txt = true, .markdown = true, .feed = "changes.atom"};
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    return fs::exists(site_.public_folder() / name) ? test::read_file(site_.public_folder() / name)
                                                    : "(none)";
  }
  PublishReport run(PublishOptions options = {}) {
    auto report = site_.publish(std::move(options));
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : PublishReport();
  }
  /// The time of the file says whether it was written.
  [[nodiscard]] fs::file_time_type time_of(const std::string& name) const {
    return fs::last_write_time(site_.public_folder() / name);
  }

  PublishedSite site_;
  OutputsConfig outputs_;
  std::function<void(PublishConfig&)> change_ = [](PublishConfig&) {};
};

TEST_F(PublishOutputs, FilesFollowThePages) {
  site_.write("a.html", "One");
  site_.write("b/index.html", "Two");
  EXPECT_EQ(run().outputs_written, 4U);
  EXPECT_TRUE(text("a.html.md").contains("One is what this page says"));
  EXPECT_TRUE(text("b/index.html.md").contains("Source: <https://example.com/b/>"));
  EXPECT_TRUE(text("llms.txt").contains("- [a.html](https://example.com/a.html.md): One is what"));
  EXPECT_TRUE(text("changes.atom").contains("<id>https://example.com/b/</id>"));
  const auto before = time_of("b/index.html.md");
  site_.write("a.html", "Changed");
  EXPECT_EQ(run().outputs_written, 3U);  // the page, llms.txt and the feed
  EXPECT_TRUE(text("a.html.md").contains("Changed is what"));
  EXPECT_EQ(time_of("b/index.html.md"), before);
  EXPECT_EQ(run().outputs_written, 0U);
  site_.remove("b/index.html");
  PublishOptions shrink;
  shrink.shrink = format::Shrink::allow;
  EXPECT_EQ(run(shrink).outputs_removed, 1U);
  EXPECT_FALSE(fs::exists(site_.public_folder() / "b"));
  EXPECT_TRUE(text("changes.atom").contains("deleted-entry ref=\"https://example.com/b/\""));
  EXPECT_FALSE(text("llms.txt").contains("/b/"));
}

TEST_F(PublishOutputs, NothingIsWrittenInADryRun) {
  site_.write("a.html", "One");
  PublishOptions options;
  options.dry_run = true;
  run(options);
  EXPECT_EQ(text("llms.txt"), "(none)");
  EXPECT_EQ(text("a.html.md"), "(none)");
}

TEST_F(PublishOutputs, FilesOfOthersStay) {
  site_.write("a.html", "One");
  site_.put("llms.txt", "mine");
  site_.put("a.html.md", "mine too");
  const PublishReport report = run();
  EXPECT_EQ(text("llms.txt"), "mine");
  EXPECT_EQ(text("a.html.md"), "mine too");
  EXPECT_EQ(std::ranges::count_if(report.notes,
                                  [](const std::string& note) { return note.contains("not made by sheaf"); }),
            2);
  site_.remove("llms.txt");
  run();
  EXPECT_TRUE(text("llms.txt").contains("https://example.com/a.html)"));
}

TEST_F(PublishOutputs, LostFilesComeBackAndSwitchedOffOnesGo) {
  site_.write("a.html", "One");
  site_.write("b.html", "Two");
  run();
  site_.remove("a.html.md");
  site_.remove("llms.txt");
  run();
  EXPECT_TRUE(text("a.html.md").contains("One is"));
  EXPECT_NE(text("llms.txt"), "(none)");
  outputs_.markdown = false;
  run();
  EXPECT_EQ(text("a.html.md"), "(none)");
  EXPECT_TRUE(text("llms.txt").contains("](https://example.com/a.html)"));
  outputs_ = {};
  run();
  EXPECT_EQ(text("llms.txt"), "(none)");
  EXPECT_EQ(text("changes.atom"), "(none)");
  outputs_ = {.markdown = true};
  run();
  EXPECT_TRUE(text("b.html.md").contains("Two is"));
}

TEST_F(PublishOutputs, APageInTwoSectionsKeepsItsFile) {
  site_.write("a.html", "One");
  site_.write("b.html", "Two");
  bool both = true;
  change_ = [&](PublishConfig& config) {
    config.sections.push_back(config.sections.front());
    config.sections.back().name = "more";
    if (!both) config.sections.front().sources.front().exclude.emplace_back("a.html");
  };
  run();
  both = false;
  PublishOptions shrink;
  shrink.shrink = format::Shrink::allow;
  run(shrink);
  EXPECT_TRUE(text("a.html.md").contains("One is"));
}

TEST_F(PublishOutputs, FilesAreDeliveredLikeCollections) {
  const test::TempDir there;
  change_ = [&](PublishConfig& config) {
    config.delivery.to = objects::CommandSettings{
        {"sh", "-c", "mkdir -p \"$(dirname \"$0\")\" && cp \"$1\" \"$0\" && echo \"$2\" > \"$0.type\"",
         there.path().string() + "/{name}", "{file}", "{type}"},
        {"rm", "-f", there.path().string() + "/{name}"}};
  };
  site_.write("a.html", "One");
  site_.write("b.html", "Two");
  run();
  EXPECT_TRUE(test::read_file(there / "a.html.md").contains("One is"));
  EXPECT_EQ(test::read_file(there / "a.html.md.type"), "text/markdown; charset=utf-8\n");
  EXPECT_TRUE(fs::exists(there / "llms.txt") && fs::exists(there / "changes.atom"));
  site_.remove("b.html");
  PublishOptions shrink;
  shrink.shrink = format::Shrink::allow;
  run(shrink);
  EXPECT_FALSE(fs::exists(there / "b.html.md"));
}

TEST(IndexNow, TheBodyIsThatOfTheProtocol) {
  EXPECT_EQ(
      index_now_body({.host = "e.example", .key = "k", .key_url = "https://e.example/k.txt", .endpoint = ""},
                     {"https://e.example/\"a"}),
      R"({"host":"e.example","key":"k","keyLocation":"https://e.example/k.txt","urlList":["https://e.example/\"a"]})");
  EXPECT_EQ(make_index_now_key().size(), 32U);
  EXPECT_NE(make_index_now_key(), make_index_now_key());
}

}  // namespace
}  // namespace sheaf::publish
