#pragma once

#include "sheaf/feeds/feed.h"

namespace sheaf::feeds {

base::Result<Feed> parse_json_feed(std::string_view text, const FeedLimits& limits);
/// Parses RSS and Atom.
base::Result<Feed> parse_xml_feed(std::string_view bytes, const FeedLimits& limits);

}  // namespace sheaf::feeds
