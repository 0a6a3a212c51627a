#pragma once

#include "sheaf/http/fetch/fetch_transport.h"
#include "sheaf/http/fetch/host_gate.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::test {

/// A clock that moves only when a thread waits, by exactly that time.
class ScriptedClock final : public http::fetch::WaitClock {
 public:
  [[nodiscard]] Time now() const override { return Time(Duration(ticks_.load())); }
  void sleep(Duration time) override { ticks_ += time.count(); }
  void wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, Duration time) override;

  /// Since the test began.
  [[nodiscard]] std::chrono::milliseconds elapsed() const;

 private:
  static constexpr Duration::rep kStart = Duration(std::chrono::hours(1)).count();
  std::atomic<Duration::rep> ticks_ = kStart;
};

/// A request as it reached the network.
struct SentRequest {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::chrono::milliseconds at{0};  ///< by the scripted clock

  /// Empty if there is none.
  [[nodiscard]] std::string header(std::string_view name) const;
};

struct ScriptedResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< names in lower case
  std::string body = {};
  http::fetch::FetchTrouble trouble = http::fetch::FetchTrouble::none;  ///< instead of an answer
  std::size_t cut_after = std::string::npos;                            ///< the connection breaks there
};

/// A web in memory, compared with ninja's in-memory disk: everything above http::fetch::FetchTransport runs
/// as it is. A URL that it does not know is 404; an entity tag or date that the client has is answered by
/// 304. Any thread may call.
class ScriptedWeb {
 public:
  using Handler = std::function<ScriptedResponse(const SentRequest&)>;

  void put(const std::string& url, ScriptedResponse answer);
  /// Its answers one after the other; the last one stays.
  void put_all(const std::string& url, std::vector<ScriptedResponse> answers);
  void on(const std::string& url, Handler handler);
  void put_html(const std::string& url, std::string body, const std::string& entity_tag = {});
  void remove(const std::string& url);
  /// Answers every URL that has no answer of its own.
  void on_any(Handler handler);

  [[nodiscard]] std::vector<SentRequest> requests() const;
  [[nodiscard]] std::vector<std::string> urls() const;  ///< of all requests, in order
  [[nodiscard]] std::size_t count(const std::string& url) const;
  void forget_requests();

  ScriptedClock& clock() { return clock_; }
  /// Options for a fetcher that sees nothing but this web. Retries as usual.
  [[nodiscard]] http::fetch::FetchOptions options();

 private:
  class Line;
  ScriptedResponse answer(const SentRequest& request);

  ScriptedClock clock_;
  mutable std::mutex mutex_;
  std::map<std::string, Handler> handlers_;
  Handler any_;
  std::vector<SentRequest> requests_;
};

}  // namespace sheaf::test
