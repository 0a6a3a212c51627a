#include "sheaf/http/server/server.h"
#include "sheaf/serve/file_handler.h"
#include "sheaf/serve/start_report.h"
#include <sheaf/serve.h>
#include <sheaf/time.h>

#include <algorithm>
#include <utility>

namespace sheaf {

/// Everything that is running; members end in the reverse order.
class FolderServer::Impl {
 public:
  Result<void> start(const std::filesystem::path& path, const ServeSettings& settings) {
    const auto log = [own = settings.log](const std::string& line) {
      if (own) own(line);
    };
    SHEAF_TRY_ASSIGN(auto folder, serve::Folder::open(path, settings.below));
    auto notices = serve::read_notices(folder);
    problems = serve::report_on(folder, notices, now()).problems;
    site = std::make_unique<serve::FileHandler>(std::move(folder), std::move(notices), log);
    SHEAF_TRY_ASSIGN(auto options, server_options(settings));
    options.log = log;
    SHEAF_TRY_ASSIGN(auto sockets, http::server::listen_on(settings.listen));
    url = std::string(options.tls ? "https" : "http") + "://" +
          http::server::describe_listener(sockets.front().get());
    SHEAF_TRY_ASSIGN(server, http::server::Server::start(std::move(sockets), *site, metrics, options));
    return {};
  }

  std::string url;
  std::vector<std::string> problems;
  http::server::Metrics metrics;
  std::unique_ptr<http::server::AccessLog> access_log;
  std::unique_ptr<serve::FileHandler> site;
  std::unique_ptr<http::server::Server> server;

 private:
  Result<http::server::ServerOptions> server_options(const ServeSettings& settings) {
    http::server::ServerOptions options;
    options.threads = settings.threads;
    options.most_connections = settings.connections;
    options.timeout = settings.timeout;
    options.bandwidth = settings.bandwidth;
    options.rate.requests_per_second = settings.requests_per_second;
    options.rate.burst = std::max(1.0, settings.requests_per_second);
    if (!settings.access_log.empty()) {
      SHEAF_TRY_ASSIGN(access_log, http::server::AccessLog::open(settings.access_log,
                                                                 http::server::AccessLogFormat::combined));
      options.access_log = access_log.get();
    }
    if (!settings.certificate.empty()) {
      SHEAF_TRY_ASSIGN(options.tls,
                       http::server::load_tls_files(settings.certificate, settings.key, now().seconds));
    }
    return options;
  }
};

FolderServer::FolderServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FolderServer::~FolderServer() = default;
FolderServer::FolderServer(FolderServer&&) noexcept = default;
FolderServer& FolderServer::operator=(FolderServer&&) noexcept = default;

Result<FolderServer> FolderServer::start(const std::filesystem::path& folder, const ServeSettings& settings) {
  auto impl = std::make_unique<Impl>();
  SHEAF_TRY(impl->start(folder, settings));
  return FolderServer(std::move(impl));
}

const std::string& FolderServer::url() const { return impl_->url; }
const std::vector<std::string>& FolderServer::problems() const { return impl_->problems; }

bool FolderServer::stop(std::chrono::milliseconds grace) {
  impl_->server->drain();
  const bool empty = impl_->server->wait_until_empty(grace);
  impl_->server->stop();
  return empty;
}

}  // namespace sheaf
