#include "sheaf/doctor/probe_client.h"

#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/http/fetch/address_rules.h"

#include <algorithm>

namespace sheaf::doctor {
namespace {

constexpr unsigned kProbeTries = 2;

/// Records a response as it arrives.
class RecordingSink final : public http::fetch::FetchSink {
 public:
  RecordingSink(const ProbeRequest& request, ProbeExchange& exchange)
      : request_(request), exchange_(exchange) {}

  base::Result<void> begin(const http::fetch::FetchHead& head) override {
    exchange_.head = head;
    exchange_.bytes = 0;
    exchange_.start.clear();
    sha_ = base::Sha256();
    if (request_.spool != nullptr && request_.spool->size() > 0)
      return base::fail(base::Errc::io,
                        "the transfer broke off");  // a retry would be appended to the first part
    return {};
  }

  base::Result<void> take(std::string_view piece) override {
    exchange_.bytes += piece.size();
    exchange_.start += piece.substr(0, kStartBytes - std::min(kStartBytes, exchange_.start.size()));
    sha_.update(piece);
    if (request_.spool != nullptr && exchange_.head.status == 200) SHEAF_TRY(request_.spool->append(piece));
    if (exchange_.bytes < request_.enough) return {};
    enough_ = true;
    return base::fail(base::Errc::refused, "enough");  // ends the transfer; send() ignores this error
  }

  [[nodiscard]] bool has_enough() const { return enough_; }
  std::string digest() { return base::to_hex(sha_.finish()); }

 private:
  const ProbeRequest& request_;
  ProbeExchange& exchange_;
  base::Sha256 sha_;
  bool enough_ = false;
};

http::fetch::FetchOptions probe_options(http::fetch::FetchOptions options, http::fetch::HostGate& gate,
                                        const std::function<bool()>& cancelled) {
  options.gate = &gate;
  options.cancelled = cancelled;
  options.tries = std::min(options.tries, kProbeTries);
  return options;
}

}  // namespace

ProbeClient::ProbeClient(const base::Url& site, const InspectOptions& options)
    : site_(site),
      options_(options),
      gate_(1, 1, std::chrono::seconds(30), *options.fetch.clock),
      is_late_(http::fetch::cancelled_after(options.max_time, options.fetch)),
      fetcher_(probe_options(options.fetch, gate_, is_late_)) {
  gate_.set_delay(http::fetch::host_key(site), options.fetch.delay);
}

void ProbeClient::obey(const site::RobotsRules& rules) {
  rules_ = rules;
  gate_.set_delay(http::fetch::host_key(site_), crawl::choose_delay(options_.fetch.delay, rules));
}

bool ProbeClient::allows(const base::Url& url) const {
  return url.origin() != site_.origin() || rules_.judge(url).allowed;
}

bool ProbeClient::is_exhausted() const {
  return requests_ >= options_.max_requests || bytes_ >= options_.max_bytes || is_late();
}

void ProbeClient::count_use() {
  const http::fetch::FetchUse use = fetcher_.take_use();
  requests_ += use.requests;
  bytes_ += use.bytes;
}

ProbeExchange ProbeClient::send(const ProbeRequest& request) {
  ProbeExchange exchange;
  if (is_exhausted()) return exchange;
  exchange.url = request.url;
  if (options_.progress) options_.progress(request.url, requests_);
  http::fetch::FetchRequest get{.url = request.url, .headers = request.headers};
  get.method = request.method;
  get.limit = options_.max_bytes - bytes_;
  get.may_follow = [&](std::string_view target) {
    const auto url = base::Url::parse(target);
    if (!request.follow || !url || !allows(*url)) return false;
    exchange.redirects.emplace_back(target);
    return true;
  };
  RecordingSink sink(request, exchange);
  auto head = fetcher_.fetch(get, sink);
  exchange.trouble = fetcher_.trouble();
  if (head) {
    exchange.head = std::move(*head);
    exchange.digest = sink.digest();
  } else if (sink.has_enough()) {
    exchange.trouble = http::fetch::FetchTrouble::none;
  } else {
    exchange.error = std::move(head.error());
  }
  count_use();
  // What the site would have sent in more time is not known.
  return exchange.trouble == http::fetch::FetchTrouble::cancelled ? ProbeExchange{} : exchange;
}

}  // namespace sheaf::doctor
