#include "sheaf/lab/deployment_server.h"

#include "sheaf/base/file.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/message/request_parser.h"
#include "sheaf/http/server/server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

namespace sheaf::lab {
namespace {

constexpr std::string_view kRobots = "/robots.txt";

bool is_for_robots(const LoggedRequest& logged) { return logged.request.path.starts_with(kRobots); }

void check_general_rules(std::span<const LoggedRequest> log, std::vector<std::string>& faults) {
  if (!is_for_robots(log.front()))
    faults.push_back(
        fmt::format("the first request was for {}, not for robots.txt", log.front().request.path));
  std::map<std::string, std::uint64_t> counts;
  for (const LoggedRequest& logged : log) {
    if (logged.request.header("User-Agent").empty() && counts.empty())
      faults.emplace_back("a request had no User-Agent");
    if (logged.request.path.starts_with("/private/"))
      faults.push_back(fmt::format("{} was requested, which robots.txt forbids", logged.request.path));
    if (++counts[logged.request.path] == kMaxRepeats + 1)
      faults.push_back(fmt::format("{} was requested more than {} times", logged.request.path, kMaxRepeats));
  }
  if (log.size() > kMaxRequests)
    faults.push_back(fmt::format("{} requests for a site of eight pages", log.size()));
}

}  // namespace

std::vector<std::string> judge_conduct(const Deployment& deployment, std::span<const LoggedRequest> log) {
  if (log.empty()) return {"there was no request"};
  std::vector<std::string> faults;
  check_general_rules(log, faults);
  const Conduct& conduct = deployment.conduct;
  std::uint64_t limited = 0;
  for (const LoggedRequest& logged : log) {
    const std::string& path = logged.request.path;
    if (conduct.only_robots && !is_for_robots(logged))
      faults.push_back(fmt::format("{} was requested, although robots.txt could not be read", path));
    if (!conduct.never.empty() && path.contains(conduct.never))
      faults.push_back(fmt::format("{} was requested, which is wrong here: {}", path, deployment.expected));
    if (!conduct.limited.empty() && path.contains(conduct.limited)) ++limited;
  }
  if (!conduct.limited.empty() && limited > conduct.most)
    faults.push_back(
        fmt::format("{} requests for paths with {}; {} are enough", limited, conduct.limited, conduct.most));
  return faults;
}

namespace {

constexpr int kIdleMilliseconds = 10'000;
constexpr std::size_t kMaxHead = std::size_t{64} << 10;
// Enough for one run of a client; bounds the memory of a lab that runs for a week.
constexpr std::size_t kMaxLogged = 100'000;

std::optional<LabRequest> parse_request(std::string_view bytes) {
  http::message::RequestHead head;
  if (http::message::parse_head(bytes, head).status != http::message::HeadStatus::complete)
    return std::nullopt;
  LabRequest request{.method = std::string(head.method), .path = std::string(head.target)};
  for (const auto& field : head.fields) request.headers.emplace_back(field.name, field.value);
  return request;
}

std::string head_text(const LabResponse& response) {
  std::string text =
      fmt::format("HTTP/1.1 {} {}\r\n", response.status, http::message::reason_phrase(response.status));
  for (const auto& [name, value] : response.headers) text += fmt::format("{}: {}\r\n", name, value);
  if (response.with_length && response.status != 304)
    text += fmt::format("Content-Length: {}\r\n", response.stated_length.value_or(response.body.size()));
  return text + "Connection: close\r\n\r\n";
}

}  // namespace

class DeploymentServer::Impl {
 public:
  Impl(const Deployment& deployment, Instant now, base::FileDescriptor listener)
      : deployment_(deployment),
        now_(now),
        listener_(std::move(listener)),
        wake_(eventfd(0, EFD_CLOEXEC)),
        address_(http::server::describe_listener(listener_.get())),
        url_(deployment.https ? fmt::format("https://{}", kSecureHost) : "http://" + address_),
        acceptor_([this] { accept_all(); }) {}

  ~Impl() {
    stopping_ = true;
    const std::uint64_t one = 1;
    static_cast<void>(!write(wake_.get(), &one, sizeof one));
    acceptor_.join();
    for (Client& client : clients_) client.thread.join();
  }

  const Deployment& deployment_;
  Instant now_;

  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] const std::string& address() const { return address_; }
  std::vector<LoggedRequest> log() const {
    const std::lock_guard lock(mutex_);
    return log_;
  }
  void clear_log() {
    const std::lock_guard lock(mutex_);
    log_.clear();
  }
  std::string failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

 private:
  struct Client {
    std::thread thread;
    std::atomic<bool> done = false;
  };

  /// Waits for an event on the socket. Returns false if the server is being stopped, or on timeout.
  bool wait_for(int socket, short events, int milliseconds) {
    std::array<pollfd, 2> entries = {{{socket, events, 0}, {wake_.get(), POLLIN, 0}}};
    return poll(entries.data(), entries.size(), milliseconds) > 0 && !stopping_;
  }

  void accept_all() {
    while (wait_for(listener_.get(), POLLIN, -1)) {
      std::erase_if(clients_, [](Client& client) {
        if (client.done) client.thread.join();
        return client.done.load();
      });
      base::FileDescriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!socket.is_open() || clients_.size() >= kMaxConnections) continue;
      Client& client = clients_.emplace_back();
      try {
        client.thread = std::thread([this, &client, socket = std::move(socket)] {
          serve(socket.get());
          client.done = true;
        });
      } catch (const std::system_error&) {
        clients_.pop_back();  // too many threads: the connection is closed
      }
    }
  }

  void serve(int socket) {
    std::string bytes;
    std::array<char, 4096> buffer{};
    while (!bytes.contains("\r\n\r\n") && bytes.size() < kMaxHead) {
      if (!wait_for(socket, POLLIN, kIdleMilliseconds)) return;
      const ssize_t count = recv(socket, buffer.data(), buffer.size(), 0);
      if (count <= 0) return;
      bytes.append(buffer.data(), static_cast<std::size_t>(count));
    }
    if (const auto request = parse_request(bytes)) respond(socket, *request);
  }

  LabResponse choose_response(const LabRequest& request) {
    const std::lock_guard lock(site_mutex_);
    if (!site_) prepare();
    if (!site_) return plain_response(500, "The site could not be published.\n");
    LabResponse response = answer_request(*site_, request);
    if (deployment_.alter != nullptr) deployment_.alter(*site_, request, response);
    return response;
  }

  void prepare() {
    auto site = publish_lab_site(url_, now_, deployment_.history);
    if (!site) {
      const std::lock_guard lock(mutex_);
      failure_ = site.error().message;
      return;
    }
    if (deployment_.prepare != nullptr) deployment_.prepare(*site);
    site_ = std::move(*site);
  }

  void respond(int socket, const LabRequest& request) {
    LabResponse response = choose_response(request);
    const std::string head = head_text(response);
    std::string body =
        request.method == "HEAD" || response.status == 304 ? std::string() : std::move(response.body);
    body.resize(std::min(body.size(), response.cut_after));
    {
      const std::lock_guard lock(mutex_);
      if (log_.size() < kMaxLogged) log_.push_back({request, response.status, body.size()});
    }
    if (send_all(socket, head)) send_all(socket, body);
    shutdown(socket, SHUT_WR);
  }

  bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
      if (!wait_for(socket, POLLOUT, kIdleMilliseconds)) return false;
      const ssize_t count = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  base::FileDescriptor listener_;
  base::FileDescriptor wake_;
  std::string address_;
  std::string url_;
  std::atomic<bool> stopping_ = false;
  std::mutex site_mutex_;  ///< publishes the site once; serialises responses
  std::optional<LabSite> site_;
  mutable std::mutex mutex_;
  std::vector<LoggedRequest> log_;
  std::string failure_;
  std::list<Client> clients_;
  std::thread acceptor_;  ///< last: the thread uses everything above
};

base::Result<std::unique_ptr<DeploymentServer>> DeploymentServer::start(const Deployment& deployment,
                                                                        Instant now, std::uint16_t port) {
  SHEAF_TRY_ASSIGN(auto listeners, http::server::listen_on(fmt::format("127.0.0.1:{}", port)));
  return std::unique_ptr<DeploymentServer>(
      new DeploymentServer(std::make_unique<Impl>(deployment, now, std::move(listeners.front()))));
}

DeploymentServer::DeploymentServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DeploymentServer::~DeploymentServer() = default;

const Deployment& DeploymentServer::deployment() const { return impl_->deployment_; }
const std::string& DeploymentServer::url() const { return impl_->url(); }
const std::string& DeploymentServer::address() const { return impl_->address(); }
std::vector<LoggedRequest> DeploymentServer::log() const { return impl_->log(); }
void DeploymentServer::clear_log() { impl_->clear_log(); }
std::string DeploymentServer::failure() const { return impl_->failure(); }

}  // namespace sheaf::lab
