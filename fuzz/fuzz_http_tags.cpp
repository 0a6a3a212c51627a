// A list of entity tags. What was read is written, and read again as the same list.
#include "fuzz_support.h"
#include "sheaf/http/message/conditional.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sheaf::fuzz::require;
  const auto list = sheaf::http::message::parse_tag_list(sheaf::fuzz::as_text(data, size));
  if (!list || list->any) return 0;
  require(!list->tags.empty());
  std::string written;
  for (const auto& tag : list->tags) {
    const std::string text = (tag.weak ? "W/\"" : "\"") + std::string(tag.opaque) + "\"";
    const auto alone = sheaf::http::message::parse_entity_tag(text);
    require(alone && alone->weak == tag.weak && equal_weakly(*alone, tag) &&
            equal_strongly(*alone, tag) == !tag.weak);
    written += (written.empty() ? "" : ", ") + text;
  }
  const auto again = sheaf::http::message::parse_tag_list(written);
  require(again && again->tags.size() == list->tags.size());
  for (std::size_t i = 0; i < again->tags.size(); ++i)
    require(again->tags[i].opaque == list->tags[i].opaque && again->tags[i].weak == list->tags[i].weak);
  return 0;
}
