// A state folder belongs to one site.
#include "sheaf/publish/state_folder.h"

#include "publish/published_site.h"
#include "sheaf/publish/catalog.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

/// The working folder of this process, for as long as it lives.
class WorkingFolder {
 public:
  explicit WorkingFolder(const fs::path& folder) : before_(fs::current_path()) { fs::current_path(folder); }
  ~WorkingFolder() { fs::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  fs::path before_;
};

/// Deletes the record of the base URL.
void forget_owner(const fs::path& state) {
  auto database = database::Database::open(state);
  ASSERT_TRUE(database);
  database::Database::Batch batch;
  batch.remove("B");
  ASSERT_TRUE(database->write(batch, database::Durability::synced));
}

void rebase(PublishConfig& config, std::string_view base) { config.base = *base::Url::parse(base); }

TEST(SheafOnlyStateFolder, IsNamedAfterItsSite) {
  const test::TempDir dir;
  fs::create_directories(dir / "one/deeper");
  const fs::path real = fs::canonical(dir.path());
  const WorkingFolder inside(dir / "one");
  const auto state = [](const char* folder) {
    const auto config = config_for_folder(folder, "https://example.com", "scp", "");
    EXPECT_TRUE(config) << folder;
    return config ? config->state : fs::path();
  };
  EXPECT_EQ(state("."), real / "one.sheaf");
  EXPECT_EQ(state("./"), real / "one.sheaf");
  EXPECT_EQ(state("deeper/.."), real / "one.sheaf");
  EXPECT_EQ(state(".."), fs::path(real.string() + ".sheaf"));
  EXPECT_EQ(state("deeper/"), "deeper.sheaf");
}

TEST(SheafOnlyStateFolder, IsMovedOutOfTheServedFolder) {
  const test::TempDir dir;
  fs::create_directories(dir / "site");
  dir.write("site/a.html",
            "<!doctype html><html lang=en><title>A</title><main><p>A page with a sentence.</p></main>");
  const std::string text =
      "base = \"https://example.com\"\nout = \"scp\"\n[[section]]\nname = \"s\"\n[[section.source]]\n"
      "type = \"html\"\nfolder = \".\"\n";
  PublishOptions options;
  options.now = {1'800'000'000, 0};
  // As an earlier version left it: inside.
  auto before = parse_config(text, dir / "site/sheaf.toml");
  ASSERT_TRUE(before);
  EXPECT_EQ(before->state, dir / "site.sheaf");
  EXPECT_EQ(before->served_state, dir / "site/.sheaf");
  before->state = before->served_state;
  EXPECT_FALSE(check_state(*before));
  before->served_state.clear();
  ASSERT_TRUE(publish(*before, options));
  ASSERT_TRUE(fs::exists(dir / "site/.sheaf/CURRENT"));
  const auto after = parse_config(text, dir / "site/sheaf.toml");
  const auto moved = publish(*after, options);
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_FALSE(moved->sections.front().has_changes()) << "the state came along";
  EXPECT_EQ(
      std::ranges::count_if(moved->notes, [](const auto& note) { return note.contains("it was moved to"); }),
      1);
  EXPECT_FALSE(fs::exists(dir / "site/.sheaf"));
  EXPECT_TRUE(fs::exists(dir / "site.sheaf/CURRENT"));
  // A second one is not merged.
  fs::create_directories(dir / "site/.sheaf");
  EXPECT_FALSE(publish(*after, options));
}

TEST(SheafOnlyStateFolder, OfAnotherBaseIsRefused) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  const auto files = site.files();
  site.on_config([](PublishConfig& config) { rebase(config, "https://other.example/"); });
  const auto refused = site.publish();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Errc::refused);
  EXPECT_NE(refused.error().message.find("belongs to https://example.com/"), std::string::npos);
  EXPECT_NE(refused.error().message.find("https://other.example/"), std::string::npos);
  EXPECT_EQ(site.files(), files);
  PublishOptions options;
  options.dry_run = true;
  EXPECT_FALSE(site.publish(options)) << "a rehearsal says the same";
  options = {};
  options.shrink = format::Shrink::allow;
  EXPECT_FALSE(site.publish(options)) << "another site is not a smaller one";
}

TEST(SheafOnlyStateFolder, OfAnotherSiteIsRefusedWithoutARecordToo) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  forget_owner(site.state());
  site.on_config([](PublishConfig& config) { rebase(config, "https://other.example/"); });
  const auto refused = site.publish();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("https://example.com/a.html"), std::string::npos);

  site.on_config({});
  EXPECT_FALSE(site.run().has_changes()) << "its own site takes it over";
  const auto catalog = Catalog::open(site.state());
  EXPECT_EQ(catalog->owner().value(), "https://example.com/");
}

TEST(SheafOnlyStateFolder, CollectionsOfAnotherSiteAreNotRecovered) {
  PublishedSite site;
  site.write("a.html", "One");
  site.run();
  site.forget();
  const std::string sitemap = site.sitemap();
  site.on_config([](PublishConfig& config) { rebase(config, "https://other.example/"); });
  const auto refused = site.publish();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Errc::refused);
  EXPECT_EQ(site.sitemap(), sitemap);
}

/// Two sites side by side, published from within their folders.
class Siblings : public testing::Test {
 protected:
  base::Result<PublishReport> publish(const std::string& name, bool dry_run = false) {
    const fs::path folder = dir_ / name;
    fs::create_directories(folder);
    dir_.write(name + "/index.html",
               "<!doctype html><html lang=en><title>" + name + "</title><main><h1>" + name +
                   "</h1><p>This page is long enough to be taken for one, as it has a sentence.</p></main>");
    const WorkingFolder inside(folder);
    PublishOptions options;
    options.now = {now_ += kHour, 0};
    options.dry_run = dry_run;
    const auto config = config_for_folder(".", "https://" + name + ".example", "scp", "");
    return publish::publish(*config, options);
  }

  test::TempDir dir_;
  std::int64_t now_ = 1'800'000'000;
};

TEST_F(Siblings, DoNotShareTheirState) {
  for (const char* name : {"one", "two", "one", "two"}) {
    const auto report = publish(name);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->sections.front().removed, 0U);
  }
  EXPECT_TRUE(fs::exists(dir_ / "one.sheaf"));
  EXPECT_TRUE(fs::exists(dir_ / "two.sheaf"));
  EXPECT_FALSE(fs::exists(dir_ / ".sheaf"));
}

TEST(SheafOnlyWrongBase, IsNamedAsTheReasonForALoss) {
  PublishedSite site;
  for (int i = 0; i < 30; ++i) site.write("p" + std::to_string(i) + ".html", "One");
  site.run();
  site.forget();  // so that the base is not on record
  site.on_config([](PublishConfig& config) {
    rebase(config, "https://example.com/docs/");
    for (SourceConfig& source : config.sections.front().sources) source.path = "";
  });
  const auto refused = site.publish();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Errc::refused);
  EXPECT_NE(refused.error().message.find("would lose 30 of its 30 pages, because the base has changed: it is "
                                         "https://example.com/docs/ now"),
            std::string::npos)
      << refused.error().message;
}

TEST(SheafOnlyWrongBase, IsRefusedWhereEveryPageIsElsewhere) {
  PublishedSite site;
  site.write("a.html", "One", "<link rel=canonical href=https://real.example/a.html>");
  site.write("b.html", "Two", "<link rel=canonical href=https://real.example/b.html>");
  const auto refused = site.publish();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Errc::refused);
  EXPECT_NE(refused.error().message.find("https://real.example/a.html"), std::string::npos);
  EXPECT_FALSE(fs::exists(site.public_folder() / "sitemap.xml"));
  site.write("c.html", "Three");
  EXPECT_EQ(site.run().pages, 1U) << "one page of our own, and the others are only left out";
}

}  // namespace
}  // namespace sheaf::publish
