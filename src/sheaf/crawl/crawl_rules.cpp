#include "sheaf/crawl/crawl_rules.h"

#include "sheaf/base/ascii.h"
#include "sheaf/http/message/message.h"

#include <algorithm>

namespace sheaf::crawl {

StatusMeaning judge_status(int status, bool conditional) {
  if (status == 200 || status == 203) return StatusMeaning::page;  // 203: changed by a proxy
  if (status == 404 || status == 410) return StatusMeaning::missing;
  if (status == 304) return conditional ? StatusMeaning::not_modified : StatusMeaning::failure;
  return StatusMeaning::failure;
}

bool is_html_response(std::string_view content_type, std::string_view body) {
  if (!content_type.empty()) return http::message::is_html_type(content_type);
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (body.starts_with(kByteOrderMark)) body.remove_prefix(kByteOrderMark.size());
  return base::trim_front<base::is_space>(body).starts_with('<');
}

std::chrono::milliseconds choose_delay(std::chrono::milliseconds ours, const site::RobotsRules& rules) {
  const double asked =
      std::clamp(rules.crawl_delay().value_or(0.0), 0.0, static_cast<double>(kMaxDelay.count()));
  return std::max(ours, std::chrono::milliseconds(static_cast<std::int64_t>(asked * 1000)));
}

Visit choose_visit(const LastVisit& last, Instant now, const std::optional<Instant>& pass_began) {
  if (last.fate == PageOutcome::unknown || last.fate == PageOutcome::failed ||
      last.fate == PageOutcome::disallowed)
    return Visit::fetch;
  if (pass_began && last.fetched >= *pass_began) return Visit::leave;
  const bool same_lastmod = last.lastmod && last.lastmod == last.lastmod_then;
  const std::int64_t age = now.seconds - last.fetched.seconds;
  if (same_lastmod && age >= 0 && age < kTrustLastmodSeconds) return Visit::leave;
  return last.has_validators ? Visit::conditional : Visit::fetch;
}

Instant choose_modified(const std::optional<Instant>& stored, bool changed,
                        const std::optional<Instant>& stated, Instant now) {
  if (stored && !changed) return *stored;
  const bool believable = stated && *stated <= now;
  if (!stored) return believable ? *stated : now;
  if (believable && *stated > *stored) return *stated;
  return std::max(now, Instant{stored->seconds + 1, 0});
}

bool is_enough_to_learn(std::size_t pages, std::size_t bytes) {
  return pages >= kLearnPages || bytes >= kLearnBytes;
}

}  // namespace sheaf::crawl
