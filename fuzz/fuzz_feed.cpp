// The input is a feed: what is read stays within the limits and is no larger than the feed allows.
#include "fuzz_support.h"
#include "sheaf/feeds/feed.h"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using fuzz::require;
  const std::string_view text = fuzz::as_text(data, size);
  const auto feed = feeds::parse_feed(text, {.bytes = 1U << 20U, .entries = 50});
  if (!feed) {
    require(!feed.error().message.empty() && feed.error().message.size() < 500);
    return 0;
  }
  require(feed->entries.size() <= 50);
  for (const feeds::SyndicatedEntry& entry : feed->entries) {
    // Escaping makes at most six bytes of one; an encoding at most three.
    require(entry.html.size() <= 64 + text.size() * 18);
    require(entry.title.size() <= 64 + text.size() * 18);
  }
  return 0;
}
