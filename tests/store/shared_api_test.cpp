#include "shared_fixture.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <sheaf/export.h>
#include <sheaf/pull.h>
#include <sheaf/store.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

// The public functions with the URL of a shared store.
namespace sheaf::store {
namespace {

class SharedPublicApi : public SharedStoreTest {
 protected:
  void SetUp() override {
    SharedStoreTest::SetUp();
    if (IsSkipped()) return;
    setenv("XDG_CACHE_HOME", (dir_ / "cache").c_str(), 1);
    std::filesystem::create_directory(dir_ / "here");
    std::filesystem::current_path(dir_ / "here");
  }
  void TearDown() override { std::filesystem::current_path("/"); }

  test::TempDir dir_;
};

TEST_F(SharedPublicApi, DownloadsAreInTheCacheFolder) {
  auto opened = sheaf::Store::open(place_->url(), StoreAccess::write);
  ASSERT_TRUE(opened) << opened.error().message;
  const RequestOptions requests{
      .user_agent = "ExampleBot/1.0", .allow_private = true, .tries = 1, .timeout = std::chrono::seconds(5)};
  const auto pulled = sheaf::pull_site(*opened, "http://127.0.0.1:1", requests);
  ASSERT_TRUE(pulled) << pulled.error().message;
  EXPECT_FALSE(pulled->ok);
  ASSERT_TRUE(sheaf::pull_sites(*opened, {"http://127.0.0.1:1"}, requests));
  EXPECT_TRUE(std::filesystem::is_empty(".")) << std::filesystem::directory_iterator(".")->path();
  EXPECT_FALSE(std::filesystem::is_empty(dir_ / "cache/sheaf"));
}

TEST_F(SharedPublicApi, ACursorOfAnExportIsAPosition) {
  const auto written = must_open(*place_ / "store");
  ASSERT_TRUE(apply(*written, {"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}}));
  const auto opened = sheaf::Store::open(place_->url(), StoreAccess::read);
  ASSERT_TRUE(opened) << opened.error().message;
  const auto drop = [](std::string_view) -> base::Result<void> { return {}; };
  const auto first = export_changes(*opened, {}, 0, drop);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->pages, 2U);
  EXPECT_EQ(first->cursor, opened->position());
  ASSERT_TRUE(apply(*written, {"snapshot", 200, 0, {{"a", 1}, {"b", 150}}, {}, {}}));
  const auto fresh = sheaf::Store::open(place_->url(), StoreAccess::read);
  ASSERT_TRUE(fresh) << fresh.error().message;
  const auto second = export_changes(*fresh, {}, first->cursor, drop);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->pages, 1U);
}

}  // namespace
}  // namespace sheaf::store
