#include "sheaf/cli/sites/service.h"

#include "sheaf/http/server/server.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace sheaf::cli {
namespace {

constexpr int kFirstPassed = 3;
constexpr int kMaxPassed = 64;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

int number(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

}  // namespace

base::Result<PassedSockets> take_passed_sockets() {
  PassedSockets passed;
  const bool for_us = number(environment("LISTEN_PID")) == getpid();
  const int count = number(environment("LISTEN_FDS"));
  std::string names(environment("LISTEN_FDNAMES"));
  for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) unsetenv(name);
  if (!for_us || count <= 0) return passed;
  if (count > kMaxPassed)
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("the service manager passed {} sockets; at most {} are accepted", count, kMaxPassed));
  std::string_view rest = names;
  for (int descriptor = kFirstPassed; descriptor < kFirstPassed + count; ++descriptor) {
    const std::string_view name = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    base::FileDescriptor socket(descriptor);
    SHEAF_TRY(http::server::adopt_listener(descriptor));
    (name == "metrics" ? passed.metrics : passed.serving).push_back(std::move(socket));
  }
  return passed;
}

void notify_manager(const std::string& state) {
  const std::string_view path = environment("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (path.size() < 2 || path.size() >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // the abstract namespace
  const base::FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  sendto(socket.get(), state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
         size);
}

base::Result<std::string> drop_privileges(const std::string& user) {
  if (geteuid() != 0 || user == "root") return std::string();
  const passwd* entry = user.empty() ? getpwnam("sheaf") : getpwnam(user.c_str());
  if (entry == nullptr && user.empty()) entry = getpwnam("nobody");
  if (entry == nullptr)
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("there is no user {} to run as; name one with --user", user.empty() ? "nobody" : user));
  std::string name = entry->pw_name;
  const uid_t uid = entry->pw_uid;
  const gid_t gid = entry->pw_gid;
  if (initgroups(name.c_str(), gid) != 0 || setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0)
    return std::unexpected(base::system_error(errno, "cannot become user " + name));
  if (uid != 0 && setuid(0) == 0)
    return base::fail(base::Errc::permission_denied,
                      "root privileges could be regained after dropping them; not serving");
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return name;
}

std::size_t raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1'024;
  if (limit.rlim_cur < limit.rlim_max) {
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  return static_cast<std::size_t>(limit.rlim_cur);
}

DescriptorShares share_descriptors(std::size_t limit, std::size_t most_files) {
  constexpr std::size_t kOwn = 128;  // listeners, logs, libraries, the metrics page
  // To send refused clients a response, ServerState::enter() admits 16 connections and 5 % over the limit.
  constexpr std::size_t kSpare = 16;
  constexpr std::size_t kPercent = 5;
  const std::size_t usable = limit - std::min(kOwn, limit / 4);
  DescriptorShares shares;
  shares.files = std::min(most_files, usable / 4);
  const std::size_t left = usable - shares.files;
  // Solves left = 2 * connections + kSpare + kPercent * connections / 100.
  shares.connections = std::max<std::size_t>(1, (left - std::min(kSpare, left)) * 100 / (200 + kPercent));
  return shares;
}

}  // namespace sheaf::cli
