#pragma once

#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::search {

/// Must be increased when the terms of a page change their meaning. An index of another version is rebuilt.
inline constexpr std::uint64_t kIndexVersion = 2;

/// The state of the index. It is committed after the pages that it covers.
struct IndexPosition {
  std::uint64_t version = 0;                       ///< 0 if there is no index yet
  std::optional<store::FeedCursor> sequence = {};  ///< all changes up to here are in the index
  std::optional<store::FeedCursor> rebuilding =
      {};  ///< the store's newest change when a walk over all pages began
};

std::string encode(const IndexPosition& position);
/// Returns the position of a missing index if `bytes` are not a position.
IndexPosition decode_index_position(std::string_view bytes);

/// What the index remembers about a page besides its terms: enough to find the page in the store, and to see
/// whether it has changed.
struct IndexRecord {
  std::string site;
  std::string url;
  std::string modified;
  Instant as_of;
  std::vector<std::string> sections;  ///< sections that have the page, sorted by name
  friend bool operator==(const IndexRecord&, const IndexRecord&) = default;
};

std::string encode(const IndexRecord& record);
/// Returns nullopt if `bytes` are not a record.
std::optional<IndexRecord> decode_index_record(std::string_view bytes);

/// The term that only this page has.
std::string page_term(std::string_view site, std::string_view url);

/// The filter terms of a site: its origin, its host, and the domains above it.
std::vector<std::string> site_terms(std::string_view site);
/// The filter terms of a language tag: "de" and "de-at" for "de-AT".
std::vector<std::string> language_terms(std::string_view tag);

}  // namespace sheaf::search
