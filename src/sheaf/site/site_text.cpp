#include "sheaf/site/site_text.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/site/robots.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>

namespace sheaf::site {

std::string quote(std::string_view text) {
  constexpr std::size_t kShown = 100;
  std::string quoted = "\"";
  for (const char c : base::make_valid_utf8(base::cut_utf8(text, kShown))) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
    quoted += control ? ' ' : c;
  }
  quoted += text.size() > kShown ? "...\"" : "\"";
  return quoted;
}

bool same_letters(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, base::lower_ascii, base::lower_ascii);
}

namespace {

constexpr std::size_t kMaxNameBytes = 200;

}  // namespace

bool names_crawler(std::string_view user_agent) {
  if (user_agent.empty()) return false;
  const std::string lower = base::lower_text(user_agent);
  for (const std::string_view word : {"bot", "crawl", "spider", "fetch", "scrap"})
    if (lower.contains(word)) return true;
  return !lower.starts_with("mozilla/") && !lower.starts_with("opera/");
}

std::string crawler_name(std::string_view user_agent) {
  constexpr std::string_view kCompatible = "compatible; ";
  if (const std::size_t at = user_agent.find(kCompatible); at != std::string_view::npos)
    user_agent.remove_prefix(at + kCompatible.size());
  const std::string_view name = product_token(user_agent);
  return std::string((name.empty() ? user_agent : name).substr(0, kMaxNameBytes));
}

std::string site_key(const base::Url& url) {
  std::string_view host = url.host();
  if (host.starts_with("www.")) host.remove_prefix(4);
  std::string site(host);
  if (const auto port = url.port()) site += ':' + std::to_string(*port);
  return site;
}

namespace {

/// The part of a URL that identifies the page.
std::string page_key(const base::Url& url) {
  std::string_view path = url.path();
  for (const std::string_view extension : {".html", ".htm", ".xhtml", ".md", ".markdown"}) {
    if (!path.ends_with(extension)) continue;
    path.remove_suffix(extension.size());
    break;
  }
  if (path.ends_with("/index")) path.remove_suffix(5);
  while (path.ends_with('/')) path.remove_suffix(1);
  std::string key = site_key(url);
  key += path;
  if (url.has_query()) (key += '?') += url.query();
  return key;
}

}  // namespace

bool is_same_site(const base::Url& a, const base::Url& b) { return site_key(a) == site_key(b); }

Canonical judge_canonical(const base::Url& address, const base::Url& canonical) {
  if (!is_same_site(address, canonical)) return Canonical::elsewhere;
  return page_key(address) == page_key(canonical) ? Canonical::same : Canonical::other;
}

namespace {

/// Expands a shortened time to full RFC 3339. Text that does not fit into the buffer is not a time.
class FullTime {
 public:
  void add(std::string_view part) {
    fits_ = fits_ && part.size() <= text_.size() - size_;
    if (!fits_) return;
    std::memcpy(text_.data() + size_, part.data(), part.size());
    size_ += part.size();
  }
  [[nodiscard]] std::optional<Instant> parse() const {
    if (!fits_) return std::nullopt;
    const auto parsed = parse_time({text_.data(), size_});
    return parsed ? std::optional(parsed->instant) : std::nullopt;
  }

 private:
  std::array<char, 64> text_{};
  std::size_t size_ = 0;
  bool fits_ = true;
};

constexpr std::size_t kYear = 4;     // 2026
constexpr std::size_t kMonth = 7;    // 2026-01
constexpr std::size_t kDate = 10;    // 2026-01-15
constexpr std::size_t kMinutes = 5;  // 12:30

/// Z, +02:00, +0200 or +02. No offset means UTC.
void add_zone(FullTime& time, std::string_view zone) {
  constexpr std::size_t kHours = 3;  // +02
  if (zone.empty() || zone == "Z" || zone == "z" || zone == "UTC" || zone == "GMT") {
    time.add("Z");
    return;
  }
  time.add(zone.substr(0, kHours));
  time.add(":");
  zone = zone.substr(std::min(zone.size(), kHours));
  if (zone.starts_with(':')) zone.remove_prefix(1);
  time.add(zone.empty() ? "00" : zone);
}

}  // namespace

std::optional<Instant> parse_lastmod(std::string_view text) noexcept {
  if (text.size() > kDate)
    if (const auto whole = parse_time(text)) return whole->instant;
  FullTime time;
  const std::string_view date = text.substr(0, kDate);
  time.add(date);
  if (date.size() == kYear) time.add("-01");
  if (date.size() == kYear || date.size() == kMonth) time.add("-01");
  std::string_view clock = text.substr(date.size());
  if (clock.empty()) {
    time.add("T00:00:00Z");
    return time.parse();
  }
  if (clock.front() != 'T' && clock.front() != 't' && clock.front() != ' ') return std::nullopt;
  clock.remove_prefix(1);
  const std::size_t clock_end = std::min(clock.find_first_of("Zz+-UG "), clock.size());
  std::string_view zone = clock.substr(clock_end);
  clock = clock.substr(0, clock_end);
  while (zone.starts_with(' ')) zone.remove_prefix(1);
  time.add("T");
  time.add(clock);
  if (clock.size() == kMinutes) time.add(":00");
  add_zone(time, zone);
  return time.parse();
}

}  // namespace sheaf::site
