#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace sheaf::test {

/// A PostgreSQL server of its own in a temporary folder, reached only by a socket in it. Ends with this
/// process, also if that is killed.
class PostgresServer {
 public:
  /// Nullptr where PostgreSQL is not installed. Throws if it does not start.
  static PostgresServer* shared();
  /// Why shared() has none.
  static std::string missing();

  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  /// The URL of a database, which is created if it does not exist.
  std::string url(const std::string& database = "postgres");
  /// Stops it without a shutdown, as a crash would, and starts it again.
  void crash_and_restart();

 private:
  void start();
  void stop(int signal);
  [[nodiscard]] bool is_ready() const;

  std::filesystem::path programs_;
  std::filesystem::path folder_;
  pid_t process_ = -1;
};

}  // namespace sheaf::test
