#include "sheaf/serve/file_handler.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::serve {
namespace {

class FileSiteTest : public testing::Test {
 protected:
  FileSiteTest() {
    folder_.write("a.txt", "old");
    site_.emplace(*Folder::open(folder_.path()), FolderSitemaps{}, [](const std::string&) {});
  }

  /// The size of the response; -1 if there is none.
  std::int64_t ask() {
    http::server::Request request;
    request.path = "/a.txt";
    const http::server::Response answer = site_->respond(request);
    return answer.resource ? static_cast<std::int64_t>(answer.resource->representation().size) : -1;
  }

  test::TempDir folder_;
  std::optional<FileHandler> site_;
};

TEST_F(FileSiteTest, AFileThatGoesStaysGoneHoweverOftenItIsAskedFor) {
  EXPECT_EQ(ask(), 3);
  std::filesystem::remove(folder_ / "a.txt");
  // It may still be answered for some milliseconds, but not once it has been missed.
  while (ask() != -1) continue;
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(ask(), -1) << i;
}

TEST_F(FileSiteTest, AFileThatIsReplacedIsSeenAndTheOldOneNeverAgain) {
  EXPECT_EQ(ask(), 3);
  folder_.write("b.txt", "newer");
  std::filesystem::rename(folder_ / "b.txt", folder_ / "a.txt");
  while (ask() != 5) continue;
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(ask(), 5) << i;
}

TEST_F(FileSiteTest, AFolderThatIsBuiltAgainIsServedAfterTheNextTick) {
  EXPECT_EQ(ask(), 3);
  std::filesystem::remove_all(folder_.path());
  std::filesystem::create_directory(folder_.path());
  folder_.write("a.txt", "newer");
  site_->tick();
  while (ask() != 5) continue;  // the old file may be answered for some milliseconds
}

TEST_F(FileSiteTest, ThreadsShareTheCacheWhileFilesAreReplaced) {
  std::atomic<bool> done = false;
  std::atomic<std::size_t> answered = 0;
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 4; ++i)
      clients.emplace_back([&] {
        while (!done) {
          const std::int64_t size = ask();
          EXPECT_TRUE(size == 3 || size == 5) << size;
          ++answered;
        }
      });
    for (int i = 0; i < 50; ++i) {
      folder_.write("b.txt", i % 2 == 0 ? "newer" : "old");
      std::filesystem::rename(folder_ / "b.txt", folder_ / "a.txt");
      site_->tick();
      for (const std::size_t before = answered; answered < before + 20;) std::this_thread::yield();
    }
    done = true;
  }
  while (ask() != 3) continue;  // the last version
}

TEST_F(FileSiteTest, BelowAPathOfItsHost) {
  folder_.write("index.html", "hello");
  FileHandler site(*Folder::open(folder_.path(), "/docs"), FolderSitemaps{}, [](const std::string&) {});
  const auto answer = [&](std::string path) {
    http::server::Request request;
    request.path = std::move(path);
    return site.respond(request);
  };
  EXPECT_TRUE(answer("/docs/a.txt").resource);
  EXPECT_TRUE(answer("/docs/").resource);
  EXPECT_EQ(answer("/docs").status, 301U);
  EXPECT_EQ(answer("/docs").headers.at(0).value, "/docs/");
  EXPECT_EQ(answer("/a.txt").status, 404U);
}

}  // namespace
}  // namespace sheaf::serve
