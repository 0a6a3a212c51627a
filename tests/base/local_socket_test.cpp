#include "sheaf/base/local_socket.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace sheaf::base {
namespace {

bool never() { return false; }

/// Both ends of a connection.
struct Connection {
  Connection() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return;
    ours = FileDescriptor(ends[0]);
    theirs = FileDescriptor(ends[1]);
  }
  FileDescriptor ours;
  FileDescriptor theirs;
};

TEST(LocalSocket, FramesArriveAsTheyWereSent) {
  const test::TempDir folder;
  const auto path = folder.path() / "s";
  const auto listener = listen_locally(path);
  ASSERT_TRUE(listener) << listener.error().message;
  const auto client = connect_locally(path);
  ASSERT_TRUE(client) << client.error().message;
  const FileDescriptor server(accept(listener->get(), nullptr, nullptr));
  ASSERT_TRUE(send_frame(client->get(), "first"));
  ASSERT_TRUE(send_frame(client->get(), ""));
  EXPECT_EQ(receive_frame(server.get(), 5, never), "first");
  EXPECT_EQ(receive_frame(server.get(), 5, never), "");
  const auto peer = peer_of(server.get());
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->process, getpid());
  EXPECT_EQ(peer->user, geteuid());
}

TEST(LocalSocket, OnlyForItsOwnerAndReplacedWhenStale) {
  const test::TempDir folder;
  const auto path = folder.path() / "s";
  {
    ASSERT_TRUE(listen_locally(path));
  }
  struct stat there{};
  ASSERT_EQ(stat(path.c_str(), &there), 0) << "it stays behind";
  EXPECT_EQ(there.st_mode & 0777U, 0600U);
  EXPECT_EQ(connect_locally(path).error().code, Errc::not_found);
  EXPECT_TRUE(listen_locally(path));
}

TEST(LocalSocket, NeverReplacesAFile) {
  const test::TempDir folder;
  const auto path = folder.path() / "s";
  std::ofstream(path) << "precious";
  const auto listener = listen_locally(path);
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().code, Errc::already_exists);
  EXPECT_EQ(std::filesystem::file_size(path), 8U);
}

TEST(LocalSocket, APathOfAnyLength) {
  const test::TempDir folder;
  auto deep = folder.path();
  while (deep.native().size() < 300) deep /= "a-folder-with-a-long-name";
  std::filesystem::create_directories(deep);
  const auto listener = listen_locally(deep / "s");
  ASSERT_TRUE(listener) << listener.error().message;
  EXPECT_TRUE(connect_locally(deep / "s"));
  EXPECT_EQ(connect_locally(deep / "t").error().code, Errc::not_found);
}

TEST(LocalSocket, TooLongOrCutShortIsInvalid) {
  Connection connection;
  ASSERT_TRUE(send_frame(connection.theirs.get(), "123456"));
  const auto frame = receive_frame(connection.ours.get(), 5, never);
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, Errc::invalid_data);

  Connection cut;
  ASSERT_EQ(write(cut.theirs.get(), "\x05\0\0\0ab", 6), 6);
  cut.theirs.reset();
  EXPECT_EQ(receive_frame(cut.ours.get(), 5, never).error().code, Errc::invalid_data);
}

TEST(LocalSocket, TheEndAndGivingUp) {
  Connection connection;
  EXPECT_EQ(receive_frame(connection.ours.get(), 5, [] { return true; }).error().code, Errc::refused);
  connection.theirs.reset();
  EXPECT_EQ(receive_frame(connection.ours.get(), 5, never), std::nullopt);
  EXPECT_EQ(send_frame(connection.ours.get(), "x").error().code, Errc::broken_pipe);
}

}  // namespace
}  // namespace sheaf::base
