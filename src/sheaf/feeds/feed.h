#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Feeds of a site's newest pages: RSS 0.9 to 2.0, Atom (RFC 4287) and JSON Feed.
namespace sheaf::feeds {

/// An entry of a feed. Texts are not validated; titles and summaries may be HTML.
struct SyndicatedEntry {
  std::string url;  ///< as written, may be relative; empty if the entry has none
  std::string title;
  std::string summary;
  std::string html;  ///< the content; empty if the feed has a summary only
  std::string author;
  std::string language;
  std::string published;  ///< as written
  std::string modified;
};

enum class SyndicationFormat : std::uint8_t { rss, atom, json };

struct Feed {
  SyndicationFormat kind = SyndicationFormat::rss;
  std::string title;
  std::string language;
  std::string site_url;  ///< base of relative URLs; may be empty
  std::vector<SyndicatedEntry> entries;
  std::vector<std::string> deleted;  ///< URLs that the feed declares deleted (RFC 6721)
  bool is_truncated = false;         ///< the feed had more entries than the limit
};

struct FeedLimits {
  std::size_t bytes = std::size_t{32} << 20U;  ///< a larger feed is an error
  std::size_t entries = 20'000;                ///< further entries are dropped; see Feed::is_truncated
};

/// Parses a feed and detects its format from the content. Loads no external resources. Fails with
/// Errc::invalid_data if `bytes` is not a feed, exceeds the limit, or declares entities in a DTD.
base::Result<Feed> parse_feed(std::string_view bytes, const FeedLimits& limits = {});

}  // namespace sheaf::feeds
