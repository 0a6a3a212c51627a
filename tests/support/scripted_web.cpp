#include "support/scripted_web.h"

#include "sheaf/http/message/message.h"

#include <algorithm>

namespace sheaf::test {

using http::fetch::BodyUse;
using http::fetch::FetchTrouble;
using http::fetch::TransferOutcome;
using http::fetch::TransferRequest;

void ScriptedClock::wait(std::condition_variable& /*changed*/, std::unique_lock<std::mutex>& lock,
                         Duration time) {
  lock.unlock();  // the thread that is waited for needs the lock
  sleep(time);
  lock.lock();
}

std::chrono::milliseconds ScriptedClock::elapsed() const {
  return std::chrono::floor<std::chrono::milliseconds>(Duration(ticks_.load() - kStart));
}

std::string SentRequest::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (http::message::equal_ignoring_case(key, name)) return value;
  return {};
}

/// One fetcher's connection to the scripted web.
class ScriptedWeb::Line final : public http::fetch::FetchTransport {
 public:
  explicit Line(ScriptedWeb& web) : web_(web) {}

  TransferOutcome perform(const TransferRequest& request) override {
    const SentRequest sent{std::string(request.url.href()), request.headers, web_.clock_.elapsed()};
    const ScriptedResponse answer = web_.answer(sent);
    TransferOutcome outcome;
    outcome.head = {.status = answer.status, .headers = answer.headers, .url = sent.url};
    if (answer.trouble != FetchTrouble::none) {
      fail(outcome, answer.trouble, sent.url);
      return outcome;
    }
    outcome.use = request.judge(outcome.head);
    if (outcome.use == BodyUse::ignore) return outcome;
    if (auto begun = request.sink.begin(outcome.head); !begun) return refuse(outcome, begun.error());
    deliver(request, answer, outcome);
    return outcome;
  }

 private:
  static void fail(TransferOutcome& outcome, FetchTrouble trouble, const std::string& url) {
    const bool too_large = trouble == FetchTrouble::too_large;
    const bool unknown = trouble == FetchTrouble::unresolvable_host;
    outcome.trouble = trouble;
    outcome.is_final = trouble == FetchTrouble::too_slow;
    outcome.error = base::Error{too_large ? base::Errc::invalid_data
                                : unknown ? base::Errc::invalid_argument
                                          : base::Errc::io,
                                url + ": scripted trouble"};
    outcome.head = {};
  }
  static TransferOutcome refuse(TransferOutcome& outcome, base::Error error) {
    outcome.error = std::move(error);
    outcome.trouble = FetchTrouble::refused_by_sink;
    outcome.is_final = true;
    return std::move(outcome);
  }
  static void deliver(const TransferRequest& request, const ScriptedResponse& answer,
                      TransferOutcome& outcome) {
    const std::string_view body = std::string_view(answer.body).substr(0, answer.cut_after);
    if (body.size() > request.fetch.limit) return fail(outcome, FetchTrouble::too_large, outcome.head.url);
    outcome.received = body.size();
    outcome.delivered = !body.empty();
    if (!body.empty())
      if (auto taken = request.sink.take(body); !taken) {
        refuse(outcome, taken.error());
        return;
      }
    if (answer.cut_after == std::string::npos) return;
    outcome.trouble = FetchTrouble::unreachable;
    outcome.error = base::Error{base::Errc::io, outcome.head.url + ": cut off"};
  }

  ScriptedWeb& web_;
};

void ScriptedWeb::put(const std::string& url, ScriptedResponse answer) { put_all(url, {std::move(answer)}); }

void ScriptedWeb::put_all(const std::string& url, std::vector<ScriptedResponse> answers) {
  const auto next = std::make_shared<std::atomic<std::size_t>>(0);  // of all copies of the handler
  on(url, [answers = std::move(answers), next](const SentRequest& /*request*/) {
    return answers[std::min(next->fetch_add(1), answers.size() - 1)];
  });
}

void ScriptedWeb::on(const std::string& url, Handler handler) {
  const std::lock_guard lock(mutex_);
  handlers_[url] = std::move(handler);
}

void ScriptedWeb::put_html(const std::string& url, std::string body, const std::string& entity_tag) {
  ScriptedResponse answer{.headers = {{"content-type", "text/html"}}, .body = std::move(body)};
  if (!entity_tag.empty()) answer.headers.emplace_back("etag", entity_tag);
  put(url, std::move(answer));
}

void ScriptedWeb::remove(const std::string& url) {
  const std::lock_guard lock(mutex_);
  handlers_.erase(url);
}

void ScriptedWeb::on_any(Handler handler) {
  const std::lock_guard lock(mutex_);
  any_ = std::move(handler);
}

std::vector<SentRequest> ScriptedWeb::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::vector<std::string> ScriptedWeb::urls() const {
  std::vector<std::string> urls;
  for (const SentRequest& request : requests()) urls.push_back(request.url);
  return urls;
}

std::size_t ScriptedWeb::count(const std::string& url) const {
  const auto all = urls();
  return static_cast<std::size_t>(std::ranges::count(all, url));
}

void ScriptedWeb::forget_requests() {
  const std::lock_guard lock(mutex_);
  requests_.clear();
}

ScriptedResponse ScriptedWeb::answer(const SentRequest& request) {
  const Handler handler = [&] {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    const auto found = handlers_.find(request.url);
    return found == handlers_.end() ? any_ : found->second;
  }();
  if (!handler) return {.status = 404};
  ScriptedResponse answer = handler(request);  // without the lock: it may wait for other requests
  const http::fetch::FetchHead head{.status = answer.status, .headers = answer.headers};
  const std::string_view entity_tag = head.header("etag");
  const std::string_view date = head.header("last-modified");
  const std::string known_tag = request.header("if-none-match");
  const bool same = known_tag.empty() ? !date.empty() && date == request.header("if-modified-since")
                                      : known_tag == entity_tag;
  if (answer.status == 200 && same) {
    answer.status = 304;
    answer.body.clear();
  }
  return answer;
}

http::fetch::FetchOptions ScriptedWeb::options() {
  http::fetch::FetchOptions options;
  options.transport = [this] { return std::make_unique<Line>(*this); };
  options.clock = &clock_;
  return options;
}

}  // namespace sheaf::test
