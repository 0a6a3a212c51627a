// A position in a change feed, as a user pastes it. What parses is written so that it parses again to the
// same position.
#include "fuzz_support.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sheaf::fuzz::require;
  using sheaf::store::FeedCursor;
  const auto cursor = FeedCursor::parse(sheaf::fuzz::as_text(data, size));
  if (!cursor) {
    require(!cursor.error().message.empty());
    return 0;
  }
  require(cursor->parts() >= 1 && cursor->parts() <= FeedCursor::kMaxParts);
  const auto again = FeedCursor::parse(cursor->text());
  require(again && *again == *cursor);
  return 0;
}
