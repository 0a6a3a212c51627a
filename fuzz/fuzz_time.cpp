// The input is two times with an LF between them; its first bytes are also taken as an instant. What parses
// is written so that it parses again to the same instant, in an order that is that of the instants.
#include "fuzz_support.h"
#include <sheaf/time.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace sheaf;
using sheaf::fuzz::require;

constexpr Instant kFirst{-62'167'219'200, 0};           // 0000-01-01T00:00:00Z
constexpr Instant kLast{253'402'300'799, 999'999'999};  // 9999-12-31T23:59:59.999999999Z

/// The form we write sorts like the instants once its Z is off: a fraction makes it longer and later.
std::string sort_key(Instant instant) {
  std::string text = format_time(instant);
  require(text.ends_with('Z'));
  text.pop_back();
  return text;
}

void check_written(Instant instant) {
  const std::string text = format_time(instant);
  const auto again = parse_time(text);
  require(again && again->offset == Offset::given);
  // An offset can push a time over the edge of the years there are; it is written as the nearest one inside.
  require(again->instant == std::clamp(instant, kFirst, kLast));
  require(format_time(again->instant) == text);
}

std::optional<Instant> check(std::string_view text) {
  const auto parsed = parse_time(text);
  if (!parsed) return std::nullopt;
  require(parsed->instant.nanoseconds < 1'000'000'000);
  check_written(parsed->instant);
  if (parsed->offset == Offset::missing) {
    for (const char* suffix : {"Z", "z", "+00:00", "-00:00"}) {
      const auto with_offset = parse_time(std::string(text) + suffix);
      require(with_offset && with_offset->offset == Offset::given && with_offset->instant == parsed->instant);
    }
  } else if (text.ends_with('Z') || text.ends_with('z')) {
    const auto naive = parse_time(text.substr(0, text.size() - 1));
    require(naive && naive->offset == Offset::missing && naive->instant == parsed->instant);
  }
  return parsed->instant;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = sheaf::fuzz::as_text(data, size);
  const std::size_t newline = input.find('\n');
  const auto first = check(input.substr(0, newline));
  const auto second = newline == std::string_view::npos ? std::nullopt : check(input.substr(newline + 1));
  if (first && second) {
    const auto inside = [](Instant instant) { return std::clamp(instant, kFirst, kLast); };
    require((inside(*first) <=> inside(*second)) == (sort_key(*first) <=> sort_key(*second)));
  }
  Instant any;
  if (size >= sizeof any.seconds + sizeof any.nanoseconds) {
    std::memcpy(&any.seconds, data, sizeof any.seconds);
    std::memcpy(&any.nanoseconds, data + sizeof any.seconds, sizeof any.nanoseconds);
    any.nanoseconds %= 1'000'000'000;
    check_written(any);
  }
  return 0;
}
