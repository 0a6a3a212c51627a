#include "support/postgres_server.h"

#include <fcntl.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sheaf::test {
namespace {

/// The folder of the newest version that is installed; empty if there is none.
std::filesystem::path find_programs() {
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql", ignored))
    if (std::filesystem::exists(entry.path() / "bin/initdb", ignored)) found.push_back(entry.path() / "bin");
  std::ranges::sort(found);
  return found.empty() ? std::filesystem::path() : found.back();
}

/// PostgreSQL refuses to run as root.
const passwd* other_user() {
  if (getuid() != 0) return nullptr;
  const passwd* user = getpwnam("postgres");
  return user != nullptr ? user : getpwnam("nobody");
}

pid_t spawn(const std::vector<std::string>& arguments, const std::filesystem::path& log) {
  const passwd* const user = other_user();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  dup2(out, 1);
  dup2(out, 2);
  if (user != nullptr && (setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)) _exit(126);
  prctl(PR_SET_PDEATHSIG, SIGINT);
  if (getppid() != parent) _exit(1);
  std::vector<char*> raw;
  for (const std::string& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
  raw.push_back(nullptr);
  execv(raw[0], raw.data());
  _exit(127);
}

}  // namespace

PostgresServer* PostgresServer::shared() {
  if (find_programs().empty()) return nullptr;
  static PostgresServer server;
  return &server;
}

std::string PostgresServer::missing() { return "PostgreSQL is not installed: apt-get install postgresql"; }

PostgresServer::PostgresServer() : programs_(find_programs()) {
  std::string pattern = (std::filesystem::temp_directory_path() / "sheaf-pg-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  folder_ = pattern;
  if (const passwd* const user = other_user())
    if (chown(folder_.c_str(), user->pw_uid, user->pw_gid) != 0) throw std::runtime_error("chown failed");
  const pid_t made = spawn({programs_ / "initdb", "-D", folder_ / "data", "-U", "sheaf", "--auth=trust", "-N",
                            "-E", "UTF8", "--locale=C"},
                           folder_ / "log");
  int status = 0;
  waitpid(made, &status, 0);
  if (status != 0) throw std::runtime_error("initdb failed; see " + (folder_ / "log").string());
  start();
}

PostgresServer::~PostgresServer() {
  stop(SIGINT);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void PostgresServer::start() {
  process_ =
      spawn({programs_ / "postgres", "-D", folder_ / "data", "-k", folder_, "-c", "listen_addresses=", "-c",
             "fsync=off", "-c", "shared_buffers=32MB", "-c", "max_connections=60"},
            folder_ / "log");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!is_ready()) {
    if (std::chrono::steady_clock::now() > deadline || waitpid(process_, nullptr, WNOHANG) != 0)
      throw std::runtime_error("PostgreSQL does not start; see " + (folder_ / "log").string());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void PostgresServer::stop(int signal) {
  kill(process_, signal);
  waitpid(process_, nullptr, 0);
}

void PostgresServer::crash_and_restart() {
  stop(SIGQUIT);
  start();
}

bool PostgresServer::is_ready() const {
  const std::string url = "postgresql://sheaf@/postgres?host=" + folder_.string();
  return PQping(url.c_str()) == PQPING_OK;
}

std::string PostgresServer::url(const std::string& database) {
  const std::string base = "postgresql://sheaf@/postgres?host=" + folder_.string();
  if (database != "postgres") {
    const std::unique_ptr<PGconn, void (*)(PGconn*)> connection(PQconnectdb(base.c_str()), PQfinish);
    PQclear(PQexec(connection.get(), ("CREATE DATABASE " + database).c_str()));
  }
  return "postgresql://sheaf@/" + database + "?host=" + folder_.string();
}

}  // namespace sheaf::test
