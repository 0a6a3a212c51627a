#include "sheaf/base/byte_source.h"

#include "sheaf/base/file.h"
#include "support/temp_dir.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sheaf::base {
namespace {

using test::TempDir;

std::string drain(ByteSource& source) {
  std::string all;
  char buffer[7];
  while (true) {
    const auto count = source.read(buffer);
    if (!count) return all + "!" + count.error().message;
    if (*count == 0) return all;
    all.append(buffer, *count);
  }
}

TEST(SheafOnlyByteSource, ReadsAFileAndKnowsItsSize) {
  const TempDir folder;
  const auto path = folder.write("a.scp", "some twenty bytes...");
  auto source = open_source(path).value();
  EXPECT_EQ(source->size(), 20U);
  EXPECT_EQ(source->name(), path.string());
  EXPECT_EQ(source->read({}).value(), 0U);
  EXPECT_EQ(drain(*source), "some twenty bytes...");
  EXPECT_EQ(drain(*source), "");
}

TEST(SheafOnlyByteSource, SaysWhyAFileCannotBeOpened) {
  const TempDir folder;
  const auto missing = open_source(folder / "missing.scp");
  EXPECT_EQ(missing.error().code, Errc::not_found);
  EXPECT_NE(missing.error().message.find("missing.scp"), std::string::npos);
  const auto directory = open_source(folder.path());
  EXPECT_EQ(directory.error().code, Errc::is_a_directory);
  EXPECT_NE(directory.error().message.find("is a folder"), std::string::npos);
  if (geteuid() == 0) return;  // root may read everything
  const auto path = folder.write("secret.scp", "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_EQ(open_source(path).error().code, Errc::permission_denied);
}

TEST(SheafOnlyByteSource, APipeInsteadOfAFileDoesNotBlock) {
  const TempDir dir;
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  const auto pipe = open_regular_file((dir / "pipe").string());
  ASSERT_FALSE(pipe);
  EXPECT_NE(pipe.error().message.find("pipe is not a regular file"), std::string::npos);
  EXPECT_FALSE(open_regular_file("/dev/null"));
  EXPECT_EQ(open_regular_file(dir.path().string()).error().code, Errc::is_a_directory);
  EXPECT_EQ(open_regular_file((dir / "none").string()).error().code, Errc::not_found);
  EXPECT_FALSE(read_regular_file((dir / "pipe").string(), 9));
  EXPECT_EQ(read_whole_file((dir / "none").string(), 9).error().code, Errc::not_found);
  const std::string path = dir.write("a", "text").string();
  EXPECT_EQ(read_regular_file(path, 2), "tex");
  EXPECT_EQ(read_whole_file(path, 4), "text");
  EXPECT_EQ(read_whole_file(path, 3).error().code, Errc::invalid_data);
  const auto file = open_regular_file(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(drain(**file), "text");
}

TEST(SheafOnlyByteSource, AFileThatShrinksIsAnError) {
  const TempDir folder;
  const auto path = folder.write("a.scp", std::string(100, 'x'));
  auto source = open_source(path).value();
  char buffer[10];
  ASSERT_EQ(source->read(buffer).value(), 10U);
  std::filesystem::resize_file(path, 50);
  const std::string rest = drain(*source);
  EXPECT_EQ(rest.substr(0, 41), std::string(40, 'x') + "!");
  EXPECT_NE(rest.find("shrank while it was read: expected 100 bytes, got 50"), std::string::npos) << rest;
}

TEST(SheafOnlyByteSource, AFileThatGrowsIsReadToItsNewEnd) {
  const TempDir folder;
  const auto path = folder.write("a.scp", "old");
  auto source = open_source(path).value();
  folder.write("a.scp", "old and new");
  EXPECT_EQ(drain(*source), "old and new");
}

TEST(SheafOnlyByteSource, DescriptorIsReadFromItsOffsetAndStaysOpen) {
  const TempDir folder;
  const auto path = folder.write("a.scp", "0123456789");
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(lseek(file.get(), 4, SEEK_SET), 4);
  {
    auto source = descriptor_source(file.get(), "here");
    EXPECT_EQ(source->size(), 6U);
    EXPECT_EQ(source->name(), "here");
    EXPECT_EQ(drain(*source), "456789");
  }
  EXPECT_NE(fcntl(file.get(), F_GETFD), -1);
}

TEST(SheafOnlyByteSource, APipeHasNoSize) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const FileDescriptor reading(ends[0]);
  FileDescriptor writing(ends[1]);
  ASSERT_TRUE(write_all(writing.get(), "through a pipe", "pipe"));
  writing.reset();
  auto source = descriptor_source(reading.get(), "pipe");
  EXPECT_EQ(source->size(), std::nullopt);
  EXPECT_EQ(drain(*source), "through a pipe");
}

TEST(SheafOnlyByteSource, ReadErrorsAreErrors) {
  const TempDir folder;
  const FileDescriptor directory(open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  auto source = descriptor_source(directory.get(), "a folder");
  char buffer[4];
  const auto count = source->read(buffer);
  ASSERT_FALSE(count);
  EXPECT_NE(count.error().message.find("cannot read a folder"), std::string::npos);
}

TEST(SheafOnlyByteSource, BufferAndSpool) {
  auto buffer = buffer_source("a buffer");
  EXPECT_EQ(buffer->size(), 8U);
  EXPECT_EQ(drain(*buffer), "a buffer");
  const TempDir folder;
  auto spool = std::make_shared<SpoolFile>(SpoolFile::create(folder.path()).value());
  ASSERT_TRUE(spool->append("from a spool"));
  for (int i = 0; i < 2; ++i) {
    auto source = spool_source(spool, "spool");
    EXPECT_EQ(source->size(), 12U);
    EXPECT_EQ(source->name(), "spool");
    EXPECT_EQ(drain(*source), "from a spool");
  }
}

TEST(ByteSource, ReadUpToDetectsTooManyBytes) {
  const std::string text(200'000, 'x');
  EXPECT_EQ(*read_up_to(*buffer_source(text), 200'000), text);
  EXPECT_EQ(read_up_to(*buffer_source(text), 199'999)->size(), 200'000U);
  EXPECT_EQ(read_up_to(*buffer_source(text), 10)->size(), 11U);
  EXPECT_EQ(*read_up_to(*buffer_source(""), 0), "");
}

TEST(ByteSource, ReadWholeFailsIfThereAreTooManyBytes) {
  EXPECT_EQ(*read_whole(*buffer_source("four"), 4), "four");
  const auto cut = read_whole(*buffer_source("four", "a file"), 3);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, Errc::invalid_data);
  EXPECT_EQ(cut.error().message, "a file is longer than 3 bytes");
}

}  // namespace
}  // namespace sheaf::base
