#include "sheaf/http/server/server.h"

#include "sheaf/http/server/server_state.h"
#include "sheaf/http/server/worker.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace sheaf::http::server {
namespace {

class PooledServer final : public Server {
 public:
  PooledServer(RequestHandler& handler, Metrics& metrics, ServerOptions options)
      : state_(handler, metrics, std::move(options)) {
    for (unsigned i = 0; i < std::max(1U, state_.options.threads); ++i)
      workers_.push_back(std::make_unique<Worker>(state_));
  }
  ~PooledServer() override { PooledServer::stop(); }

  base::Result<void> start(const std::vector<base::FileDescriptor>& listeners) {
    if (state_.options.tls) SHEAF_TRY(replace_certificate(*state_.options.tls));
    SHEAF_TRY(start_workers(listeners));
    housekeeper_ = std::thread([this] { run_housekeeping(); });
    return {};
  }

  base::Result<void> replace_certificate(const TlsFiles& files) override {
    SHEAF_TRY_ASSIGN(auto context, TlsContext::create(files));
    state_.set_tls(std::move(context));
    return {};
  }

  void drain() override {
    state_.draining.store(true);
    for (const auto& worker : workers_) worker->wake();
  }

  bool wait_until_empty(std::chrono::milliseconds limit) override { return state_.wait_until_empty(limit); }

  void stop() override {
    for (const auto& worker : workers_) worker->stop();
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    if (housekeeper_.joinable()) housekeeper_.join();
  }

 private:
  /// Starts fewer workers if the system does not allow as many threads.
  base::Result<void> start_workers(const std::vector<base::FileDescriptor>& listeners) {
    SHEAF_TRY(workers_.front()->start(listeners));
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      const auto started = workers_[i]->start(listeners);
      if (started) continue;
      state_.options.log(fmt::format("serving with {} instead of {} threads: {}", i, workers_.size(),
                                     started.error().message));
      workers_.resize(i);
    }
    return {};
  }

  void run_housekeeping() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; })) {
      lock.unlock();
      state_.handler.tick();
      lock.lock();
    }
  }

  ServerState state_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread housekeeper_;
};

}  // namespace

// By value: each worker duplicates the descriptors. The originals are closed here, because a port must not
// stay open that no worker serves.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
base::Result<std::unique_ptr<Server>> Server::start(std::vector<base::FileDescriptor> listeners,
                                                    RequestHandler& handler, Metrics& metrics,
                                                    ServerOptions options) {
  if (!options.log) options.log = [](const std::string&) {};
  auto server = std::make_unique<PooledServer>(handler, metrics, std::move(options));
  SHEAF_TRY(server->start(listeners));
  return server;
}

}  // namespace sheaf::http::server
