#include "sheaf/objects/folder_store.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::objects {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

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

}  // namespace
}  // namespace sheaf::objects
