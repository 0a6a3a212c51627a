#include "sheaf/objects/object_store.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::objects {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

/// While it exists, no file can grow beyond a size, as if the disk were full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

TEST(FolderStore, OfManyPutsOfANewObjectOneSucceeds) {
  const TempDir folder;
  std::atomic<int> stored = 0;
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i)
    writers.emplace_back([&, bytes = std::to_string(i)] {
      if (folder_store(folder.path())->put_new("marker", bytes, {}).value()) ++stored;
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(stored, 1);
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"marker"});
}

TEST(FolderStore, AFailedPutLeavesNoFileBehind) {
  const TempDir folder;
  const auto store = folder_store(folder.path());
  {
    const FileSizeLimit limit(4096);
    const auto stored = store->put_new("pack", std::string(10'000, 'x'), {});
    ASSERT_FALSE(stored);
    EXPECT_TRUE(stored.error().message.contains("cannot write")) << stored.error().message;
  }
  EXPECT_EQ(files_in(folder.path()), std::vector<std::string>());
}

}  // namespace
}  // namespace sheaf::objects
