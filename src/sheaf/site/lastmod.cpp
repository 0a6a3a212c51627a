#include "sheaf/site/lastmod.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace sheaf::site {
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
