#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Feeds of a site's newest pages: RSS 0.9 to 2.0, Atom (RFC 4287) and JSON Feed.
namespace sheaf::feeds {

/// An entry as the feed has it. Texts are not checked; titles and summaries may be HTML.
struct SyndicatedEntry {
  std::string url;  ///< as written, perhaps relative; empty if there is none
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
  std::string site_url;  ///< to which relative URLs are relative; may be empty
  std::vector<SyndicatedEntry> entries;
  std::vector<std::string> deleted;  ///< URLs that the feed declares deleted (RFC 6721)
  bool is_cut = false;               ///< there were more entries than the limit
};

struct FeedLimits {
  std::size_t bytes = std::size_t{32} << 20U;
  std::size_t entries = 20'000;
};

/// Reads a feed; its kind is recognised by its content. Nothing outside is loaded, and entities of a DTD are
/// refused. Errors: invalid_data, which say what was found.
base::Result<Feed> parse_feed(std::string_view bytes, const FeedLimits& limits = {});

}  // namespace sheaf::feeds
