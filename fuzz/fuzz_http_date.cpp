// An HTTP-date, its first eight bytes the time it is read at. What parses is written so that it parses to the
// same.
#include "fuzz_support.h"
#include "sheaf/http/message/message.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sheaf::fuzz::require;
  constexpr std::int64_t kFirst = -62'135'596'800;
  constexpr std::int64_t kLast = 253'402'300'799;
  std::int64_t now = 0;
  if (size < sizeof now) return 0;
  std::memcpy(&now, data, sizeof now);
  now = std::clamp(now, std::int64_t{0}, kLast);
  const auto text = sheaf::fuzz::as_text(data + sizeof now, size - sizeof now);
  if (const auto parsed = sheaf::http::message::parse_http_date(text, now)) {
    const auto again =
        sheaf::http::message::parse_http_date(sheaf::http::message::format_http_date(*parsed), now);
    require(again == std::clamp(*parsed, kFirst, kLast));
    if (text.find('-') != std::string_view::npos) require(*parsed < now + 51LL * 366 * 86'400);
  }
  require(sheaf::http::message::parse_http_date(sheaf::http::message::format_http_date(now), now) == now);
  return 0;
}
