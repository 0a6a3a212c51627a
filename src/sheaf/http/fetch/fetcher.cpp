#include "sheaf/http/fetch/fetcher.h"

#include "sheaf/base/ascii.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/http/fetch/curl_transfer_internal.h"
#include "sheaf/http/fetch/host_gate.h"
#include "sheaf/http/message/message.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <random>
#include <set>

namespace sheaf::http::fetch {

TransferPace TransferPace::without_minimum() {
  constexpr std::chrono::hours kWeek{7 * 24};
  return {.grace = kWeek, .longest = kWeek};
}

std::chrono::milliseconds TransferPace::allowed(std::uint64_t moved) const {
  const std::uint64_t rate = std::max<std::uint64_t>(minimum_rate, 1);
  // Whole seconds first: moved * 1000 could overflow.
  const auto most = static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(longest).count());
  const std::uint64_t seconds = std::min(moved / rate, most);
  const std::uint64_t rest = moved % rate * 1000 / rate;
  return std::min(longest, grace + std::chrono::milliseconds(seconds * 1000 + rest));
}

std::chrono::milliseconds wait_before(unsigned retry, const RetryPause& policy, double random) {
  std::chrono::milliseconds whole = policy.first;
  for (unsigned i = 1; i < retry && whole < policy.longest; ++i) whole *= 2;
  whole = std::min(whole, policy.longest);
  const double part = 0.5 + std::clamp(random, 0.0, 1.0) / 2;
  return std::chrono::milliseconds(static_cast<std::int64_t>(static_cast<double>(whole.count()) * part));
}

bool is_temporary(int status) {
  return status == 408 || status == 429 || (status >= 500 && status != 501 && status != 505);
}

namespace {

/// Parses a URL that consists of scheme, host and port only. Nullopt for anything else.
std::optional<base::Url> parse_bare(std::string_view scheme, std::string_view rest) {
  const bool has_more = rest.empty() || rest.find_first_of("/?#@ ") != std::string_view::npos;
  return has_more ? std::nullopt : base::Url::parse(fmt::format("{}{}", scheme, rest));
}

}  // namespace

base::Result<HostOverride> parse_host_override(std::string_view text) {
  constexpr std::string_view kHttp = "http://";
  constexpr std::string_view kHttps = "https://";
  const std::size_t equals = std::min(text.find('='), text.size());
  const auto host = parse_bare(kHttps, text.substr(0, equals));
  std::string_view target = text.substr(std::min(equals + 1, text.size()));
  const bool plain = target.starts_with(kHttp);
  if (plain || target.starts_with(kHttps)) target.remove_prefix(plain ? kHttp.size() : kHttps.size());
  const auto address = parse_bare(plain ? kHttp : kHttps, target);
  if (!host || host->port() || !address)
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("\"{}\" does not say where to connect: write HOST=ADDRESS:PORT, as "
                    "example.com=127.0.0.1:8443, or HOST=http://ADDRESS:PORT for a server without TLS",
                    text));
  const unsigned port = address->port() ? unsigned{*address->port()} : (plain ? 80U : 443U);
  return HostOverride{.host = std::string(host->host()),
                      .connect_to = fmt::format("{}:{}", address->host(), port),
                      .plain_http = plain};
}

const HostOverride* find_override(const std::vector<HostOverride>& overrides, const base::Url& url) {
  const auto found = std::ranges::find(overrides, url.host(), &HostOverride::host);
  return found == overrides.end() ? nullptr : &*found;
}

base::Result<std::size_t> TextBody::read_at(std::uint64_t offset, std::span<char> out) const {
  const std::string_view rest = bytes_.substr(static_cast<std::size_t>(offset));
  const std::size_t count = std::min(rest.size(), out.size());
  std::memcpy(out.data(), rest.data(), count);
  return count;
}

namespace {

using std::chrono::milliseconds;

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Headers that must not be sent to another origin after a redirect.
bool is_confidential(std::string_view name) {
  return message::equal_ignoring_case(name, "authorization") ||
         message::equal_ignoring_case(name, "cookie") ||
         message::equal_ignoring_case(name, "proxy-authorization");
}

bool can_be_redirected(const FetchRequest& request) {
  return request.method == "GET" && request.signer == nullptr;
}

bool has_header(const FetchRequest& request, std::string_view name) {
  return std::ranges::any_of(
      request.headers, [&](const auto& header) { return message::equal_ignoring_case(header.first, name); });
}

class TextSink final : public FetchSink {
 public:
  base::Result<void> begin(const FetchHead& /*head*/) override {
    body.clear();
    return {};
  }
  base::Result<void> take(std::string_view bytes) override {
    body += bytes;
    return {};
  }
  std::string body;
};

}  // namespace

std::function<bool()> cancelled_after(std::chrono::seconds limit, const FetchOptions& options) {
  return [end = options.clock->now() + limit, clock = options.clock, cancelled = options.cancelled] {
    return clock->now() >= end || (cancelled && cancelled());
  };
}

bool is_redirect(const FetchHead& head) {
  const int status = head.status;
  const bool moved = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  return moved && !head.header("location").empty();
}

class Fetcher::Impl {
  static FetchOptions complete(FetchOptions options) {
    if (options.pace.grace == milliseconds(0)) options.pace.grace = 2 * options.timeout;
    return options;
  }

 public:
  explicit Impl(FetchOptions options)
      : options_(complete(std::move(options))),
        transport_(make_transport()),
        random_(std::random_device{}()) {}

  base::Result<FetchHead> fetch(const FetchRequest& request, FetchSink& sink) {
    const WaitClock::Time start = options_.clock->now();
    trouble_ = FetchTrouble::other;
    const auto url = base::Url::parse(request.url);
    if (!url)
      return base::fail(base::Errc::invalid_argument,
                        fmt::format("{} is not an http or https URL", request.url));
    if (!message::is_token(request.method))
      return base::fail(base::Errc::invalid_argument, fmt::format("{} is not a method", request.method));
    const unsigned allowed = std::min(options_.tries, request.most_tries);
    const unsigned tries = request.retry ? std::max(allowed, 1U) : 1;
    for (unsigned number = 1;; ++number) {
      Try attempt = follow(request, url->without_fragment(), number == tries, sink);
      trouble_ = attempt.trouble;
      const bool too_late = options_.clock->now() - start + attempt.asked_wait > options_.pace.retry_window();
      if (!attempt.again || number == tries || too_late) return std::move(attempt.result);
      const milliseconds backoff =
          wait_before(number, options_.retry, std::uniform_real_distribution<>(0, 1)(random_));
      const milliseconds pause = std::max(backoff, attempt.asked_wait);
      if (wait_unless_cancelled(pause, options_.cancelled, *options_.clock)) continue;
      trouble_ = FetchTrouble::cancelled;
      return base::fail(base::Errc::refused, shown_url(*url) + ": cancelled");
    }
  }

  [[nodiscard]] FetchUse use() const { return use_; }
  FetchUse take_use() { return std::exchange(use_, {}); }
  [[nodiscard]] FetchTrouble trouble() const { return trouble_; }
  [[nodiscard]] const FetchOptions& options() const { return options_; }

 private:
  /// Result of following a URL and its redirects.
  struct Try {
    base::Result<FetchHead> result;
    bool again = false;  ///< another try may succeed
    milliseconds asked_wait{0};
    FetchTrouble trouble = FetchTrouble::none;
  };

  [[nodiscard]] std::unique_ptr<FetchTransport> make_transport() const {
    if (options_.transport) return options_.transport();
    return std::make_unique<FetchTransfer>(options_, read_proxy_settings(environment_variable));
  }

  static Try refuse(base::Error error, FetchTrouble trouble = FetchTrouble::other) {
    return {.result = std::unexpected(std::move(error)), .trouble = trouble};
  }

  Try follow(const FetchRequest& request, base::Url url, bool is_last, FetchSink& sink) {
    const std::string first_origin = url.origin();
    std::set<std::string, std::less<>> seen;
    for (unsigned redirects = 0;; ++redirects) {
      if (!options_.allow_private && find_override(options_.overrides, url) == nullptr)
        if (auto allowed = check_literal_host(url); !allowed)
          return refuse(allowed.error(), FetchTrouble::forbidden_address);
      seen.emplace(url.href());
      TransferOutcome outcome = send(request, url, url.origin() == first_origin, is_last, sink);
      if (outcome.error) return failed(request, std::move(outcome));
      if (!is_followed(request, outcome.head, url)) return answered(std::move(outcome), is_last);
      auto target = redirect_target(outcome.head.header("location"), url, options_.allow_http);
      if (!target)
        return refuse(target.error(), target.error().code == base::Errc::refused
                                          ? FetchTrouble::insecure_redirect
                                          : FetchTrouble::other);
      if (redirects == options_.redirects || seen.contains(target->href()))
        return refuse({base::Errc::invalid_data, redirect_message(request, *target, redirects, seen)});
      url = std::move(*target);
    }
  }

  std::string redirect_message(const FetchRequest& request, const base::Url& target, unsigned redirects,
                               const std::set<std::string, std::less<>>& seen) const {
    if (seen.contains(target.href()))
      return fmt::format("{} redirects in a loop, back to {}", shown_url(*base::Url::parse(request.url)),
                         shown_url(target));
    return fmt::format("{} redirects more than {} times, last to {}",
                       shown_url(*base::Url::parse(request.url)), redirects, shown_url(target));
  }

  /// A redirect to a forbidden URL counts as followed: the next request then fails with the reason.
  [[nodiscard]] bool is_followed(const FetchRequest& request, const FetchHead& head,
                                 const base::Url& url) const {
    if (!is_redirect(head) || !can_be_redirected(request)) return false;
    if (!request.may_follow) return true;
    const auto target = redirect_target(head.header("location"), url, options_.allow_http);
    return !target || request.may_follow(target->href());
  }

  /// Sends one request while holding a slot of the host gate.
  TransferOutcome send(const FetchRequest& request, const base::Url& url, bool first_origin, bool is_last,
                       FetchSink& sink) {
    TransferOutcome outcome;
    const std::string host = host_key(url);
    outcome.error = wait_at_gate(url, host);
    outcome.is_final = outcome.error.has_value();
    if (outcome.error) {
      const bool cancelled = outcome.error->code == base::Errc::refused;
      outcome.trouble = cancelled ? FetchTrouble::cancelled : FetchTrouble::unreachable;
      return outcome;
    }
    std::vector<std::pair<std::string, std::string>> headers;
    for (const auto& header : request.headers)
      if (first_origin || !is_confidential(header.first)) headers.push_back(header);
    if (!options_.from.empty()) headers.emplace_back("From", options_.from);
    if (options_.sign) std::ranges::move(options_.sign(url), std::back_inserter(headers));
    const auto judge = [&](const FetchHead& head) {
      const bool redirected = is_redirect(head) && can_be_redirected(request);
      const bool another = redirected || (!is_last && is_worth_waiting(head));
      return another ? BodyUse::ignore : BodyUse::deliver;
    };
    const auto on_time = [&](milliseconds taken) {
      if (options_.gate != nullptr) options_.gate->note_time(host, taken);
    };
    ++use_.requests;
    outcome = transport_->perform({url, headers, request, judge, on_time, sink});
    use_.bytes += outcome.received;
    if (options_.gate != nullptr) {
      options_.gate->leave(host, outcome.took);
      if (is_temporary(outcome.head.status))
        if (const auto asked = retry_after(outcome.head)) options_.gate->hold(host, *asked);
    }
    return outcome;
  }

  std::optional<base::Error> wait_at_gate(const base::Url& url, const std::string& host) {
    if (options_.cancelled && options_.cancelled())
      return base::Error{base::Errc::refused, shown_url(url) + ": cancelled"};
    if (options_.gate == nullptr) return std::nullopt;
    const milliseconds held = options_.gate->held(host);
    if (held > options_.retry.longest)
      return base::Error{
          base::Errc::io,
          fmt::format("{}: the server sent Retry-After; no request is made for another {} seconds",
                      shown_url(url), std::chrono::ceil<std::chrono::seconds>(held).count())};
    if (options_.gate->enter(host, options_.cancelled)) return std::nullopt;
    return base::Error{base::Errc::refused, shown_url(url) + ": cancelled"};
  }

  /// Whether to retry after a response. False unless the failure is temporary, and if the server asks for a
  /// longer wait than we allow.
  [[nodiscard]] bool is_worth_waiting(const FetchHead& head) const {
    if (!is_temporary(head.status)) return false;
    return retry_after(head).value_or(std::chrono::seconds(0)) <= options_.retry.longest;
  }

  [[nodiscard]] Try answered(TransferOutcome outcome, bool is_last) const {
    const bool again = !is_last && is_worth_waiting(outcome.head);
    const milliseconds asked = retry_after(outcome.head).value_or(std::chrono::seconds(0));
    return {.result = std::move(outcome.head), .again = again, .asked_wait = again ? asked : milliseconds(0)};
  }

  static Try failed(const FetchRequest& request, TransferOutcome outcome) {
    // If part of a range was delivered, the caller knows better where to continue.
    const bool in_a_range = outcome.delivered && has_header(request, "range");
    const bool again = outcome.error->code == base::Errc::io && !outcome.is_final && !in_a_range;
    return {.result = std::unexpected(std::move(*outcome.error)), .again = again, .trouble = outcome.trouble};
  }

  FetchOptions options_;
  std::unique_ptr<FetchTransport> transport_;
  std::minstd_rand random_;
  FetchUse use_;
  FetchTrouble trouble_ = FetchTrouble::none;
};

Fetcher::Fetcher(FetchOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Fetcher::~Fetcher() = default;
Fetcher::Fetcher(Fetcher&&) noexcept = default;
Fetcher& Fetcher::operator=(Fetcher&&) noexcept = default;

base::Result<FetchHead> Fetcher::fetch(const FetchRequest& request, FetchSink& sink) {
  return impl_->fetch(request, sink);
}

base::Result<Fetcher::Text> Fetcher::fetch_text(const FetchRequest& request) {
  TextSink sink;
  SHEAF_TRY_ASSIGN(FetchHead head, impl_->fetch(request, sink));
  return Text{std::move(head), std::move(sink.body)};
}

FetchTrouble Fetcher::trouble() const { return impl_->trouble(); }
const FetchOptions& Fetcher::options() const { return impl_->options(); }
FetchUse Fetcher::use() const { return impl_->use(); }
FetchUse Fetcher::take_use() { return impl_->take_use(); }

std::string FetchHead::joined(std::string_view name) const {
  std::string value;
  for (const auto& [key, text] : headers)
    if (key == name) value += (value.empty() ? "" : ", ") + text;
  return value;
}

std::string_view FetchHead::header(std::string_view name) const {
  const auto found = std::ranges::find_if(headers, [&](const auto& each) { return each.first == name; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<std::uint64_t> FetchHead::length() const { return parse_number(header("content-length")); }

std::optional<std::chrono::seconds> retry_after(const FetchHead& head) {
  const std::int64_t now = sheaf::now().seconds;
  std::optional<std::int64_t> longest;
  for (const auto& [name, text] : head.headers) {
    if (name != "retry-after") continue;
    const bool is_number = !text.empty() && std::ranges::all_of(text, base::is_digit);
    const auto date = is_number ? std::nullopt : message::parse_http_date(text, now);
    if (!is_number && !date) continue;
    const std::int64_t most = kLongestRetryAfter.count();
    const std::uint64_t asked = is_number
                                    ? parse_number(text).value_or(UINT64_MAX)
                                    : static_cast<std::uint64_t>(std::max<std::int64_t>(*date - now, 0));
    longest = std::max(longest.value_or(0),
                       asked > static_cast<std::uint64_t>(most) ? most : static_cast<std::int64_t>(asked));
  }
  return longest ? std::optional(std::chrono::seconds(*longest)) : std::nullopt;
}

}  // namespace sheaf::http::fetch
