#include "sheaf/feeds/feed.h"

#include "sheaf/base/ascii.h"
#include "sheaf/feeds/feed_internal.h"

#include <fmt/format.h>

namespace sheaf::feeds {

base::Result<Feed> parse_feed(std::string_view bytes, const FeedLimits& limits) {
  if (bytes.size() > limits.bytes)
    return base::fail(base::Errc::invalid_data,
                      fmt::format("the feed is larger than {} bytes", limits.bytes));
  std::string_view text = bytes;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = base::trim_front<base::is_xml_space>(text);
  if (text.empty()) return base::fail(base::Errc::invalid_data, "the feed is empty");
  return text.front() == '{' ? parse_json_feed(text, limits) : parse_xml_feed(bytes, limits);
}

}  // namespace sheaf::feeds
