#include "sheaf/base/file.h"

#include "support/temp_dir.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <vector>

namespace sheaf::base {
namespace {

using test::read_file;
using test::TempDir;

std::vector<std::string> listing(const TempDir& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  return names;
}

TEST(SheafOnlyAtomicFile, AppearsWholeAtCommit) {
  const TempDir folder;
  auto file = AtomicFile::create(folder / "out.scp").value();
  ASSERT_TRUE(file.write("hello "));
  ASSERT_TRUE(file.write("world"));
  EXPECT_EQ(file.size(), 11U);
  EXPECT_FALSE(std::filesystem::exists(folder / "out.scp"));
  ASSERT_TRUE(file.commit());
  EXPECT_EQ(read_file(folder / "out.scp"), "hello world");
  EXPECT_EQ(listing(folder), std::vector<std::string>{"out.scp"});
}

TEST(SheafOnlyAtomicFile, LeavesNothingBehindWithoutCommit) {
  const TempDir folder;
  folder.write("out.scp", "old");
  {
    auto file = AtomicFile::create(folder / "out.scp").value();
    ASSERT_TRUE(file.write("new"));
    const AtomicFile moved = std::move(file);
    EXPECT_EQ(listing(folder).size(), 2U);
    EXPECT_EQ(read_file(folder / "out.scp"), "old");
  }
  EXPECT_EQ(listing(folder), std::vector<std::string>{"out.scp"});
  EXPECT_EQ(read_file(folder / "out.scp"), "old");
}

TEST(SheafOnlyAtomicFile, ReplacesAndTruncates) {
  const TempDir folder;
  folder.write("out.scp", "a much longer old content");
  auto file = AtomicFile::create(folder / "out.scp").value();
  ASSERT_TRUE(file.write("first try, thrown away"));
  ASSERT_TRUE(file.truncate());
  EXPECT_EQ(file.size(), 0U);
  ASSERT_TRUE(file.write("new"));
  ASSERT_TRUE(file.commit());
  EXPECT_EQ(read_file(folder / "out.scp"), "new");
}

TEST(SheafOnlyAtomicFile, SaysWhyItCannotBeCreated) {
  const TempDir folder;
  EXPECT_EQ(AtomicFile::create(folder / "missing/out.scp").error().code, Errc::not_found);
  EXPECT_EQ(AtomicFile::create(folder.path()).error().code, Errc::is_a_directory);
  EXPECT_EQ(listing(folder).size(), 0U);
}

TEST(SheafOnlyAtomicFile, GetsTheRightsOfAnyNewFile) {
  const TempDir folder;
  for (const mode_t mask : {mode_t{022}, mode_t{077}, mode_t{002}}) {
    const mode_t before = umask(mask);
    auto file = AtomicFile::create(folder / "out.scp").value();
    const bool committed = file.commit().has_value();
    umask(before);
    ASSERT_TRUE(committed);
    struct stat status{};
    ASSERT_EQ(stat((folder / "out.scp").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0666U & ~mask);
  }
}

TEST(SheafOnlyFile, WriteToAClosedPipeIsABrokenPipe) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  FileDescriptor reading(ends[0]);
  const FileDescriptor writing(ends[1]);
  reading.reset();
  EXPECT_FALSE(reading.is_open());
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const auto result = write_all(writing.get(), "x", "the pipe");
  std::signal(SIGPIPE, before);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::broken_pipe);
  EXPECT_NE(result.error().message.find("the pipe"), std::string::npos);
}

TEST(SheafOnlyFile, FullDiskHasItsOwnCode) {
  const FileDescriptor full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (!full.is_open()) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(write_all(full.get(), "x", "the disk").error().code, Errc::no_space);
}

TEST(SheafOnlyFile, DescriptorsMove) {
  FileDescriptor a(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int number = a.get();
  FileDescriptor b(std::move(a));
  EXPECT_EQ(b.get(), number);
  FileDescriptor c;
  c = std::move(b);
  EXPECT_EQ(c.get(), number);
  c.reset();
  EXPECT_EQ(fcntl(number, F_GETFD), -1);
}

TEST(SheafOnlySpoolFile, ReadsAnywhereAndHasNoName) {
  const TempDir folder;
  auto spool = SpoolFile::create(folder.path()).value();
  EXPECT_TRUE(listing(folder).empty());
  ASSERT_TRUE(spool.append("hello "));
  ASSERT_TRUE(spool.append("world"));
  EXPECT_EQ(spool.size(), 11U);
  std::string out(5, '\0');
  ASSERT_TRUE(spool.read_at(6, out));
  EXPECT_EQ(out, "world");
  ASSERT_TRUE(spool.append("!"));
  ASSERT_TRUE(spool.read_at(7, out));
  EXPECT_EQ(out, "orld!");
  EXPECT_EQ(spool.read_at(8, out).error().code, Errc::io);
}

TEST(SheafOnlySpoolFile, NeedsAFolderThatExists) {
  const TempDir folder;
  EXPECT_EQ(SpoolFile::create(folder / "missing").error().code, Errc::not_found);
  EXPECT_TRUE(SpoolFile::create({}));
}

TEST(LeftoverFiles, OnlyThoseOfKilledProcessesGo) {
  const test::TempDir folder;
  const auto ours = [](std::string_view name) { return name == "a.scp" || name == ".tmp-x"; };
  for (const char* name : {".a.scp.tmp-0123abcd", ".sheaf-spool-Ab3xYz", "..tmp-x.tmp-00000000"})
    folder.write(name, "x");
  for (const char* name : {"a.scp", ".a.scp", ".b.scp.tmp-0123abcd", "a.scp.tmp-0123abcd",
                           ".a.scp.tmp-0123abc", ".tmp-0123abcd", ".notes"})
    folder.write(name, "x");
  EXPECT_EQ(remove_leftover_files(folder.path(), ours), 3U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 7);
  EXPECT_EQ(remove_leftover_files(folder.path() / "nowhere", ours), 0U);
}

}  // namespace
}  // namespace sheaf::base
