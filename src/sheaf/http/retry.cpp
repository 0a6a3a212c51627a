#include "sheaf/http/retry.h"

#include <algorithm>
#include <charconv>
#include <random>
#include <thread>

namespace sheaf::http {
namespace {

/// The seconds of a Retry-After; zero where it is missing or a date, which the doubling covers well enough.
std::chrono::seconds asked_wait(const ClientAnswer& answer) {
  const std::string_view text = answer.header("retry-after");
  unsigned seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return std::chrono::seconds(error == std::errc() && end == text.data() + text.size() ? seconds : 0);
}

}  // namespace

std::chrono::milliseconds wait_before(unsigned retry, const RetryPolicy& policy, double random) {
  std::chrono::milliseconds whole = policy.first;
  for (unsigned i = 1; i < retry && whole < policy.longest; ++i) whole *= 2;
  whole = std::min(whole, policy.longest);
  const double part = 0.5 + std::clamp(random, 0.0, 1.0) / 2;
  return std::chrono::milliseconds(static_cast<std::int64_t>(static_cast<double>(whole.count()) * part));
}

bool is_temporary(int status) {
  return status == 408 || status == 429 || (status >= 500 && status != 501 && status != 505);
}

base::Result<ClientAnswer> send_with_retries(Client& client, const ClientRequest& request,
                                             const RetryPolicy& policy, const Sleep& sleep) {
  std::random_device entropy;
  std::minstd_rand generator(entropy());
  for (unsigned tries = 1;; ++tries) {
    auto answer = client.send(request);
    const bool temporary = answer ? is_temporary(answer->status) : answer.error().code == base::Errc::io;
    if (!temporary || tries >= policy.tries) return answer;
    auto wait = wait_before(tries, policy, std::uniform_real_distribution<>(0, 1)(generator));
    if (answer)
      wait = std::min(policy.longest, std::max<std::chrono::milliseconds>(wait, asked_wait(*answer)));
    if (sleep) {
      sleep(wait);
    } else {
      std::this_thread::sleep_for(wait);
    }
  }
}

}  // namespace sheaf::http
