#pragma once

#include <sheaf/time.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::search {

/// What the index remembers of a page besides its terms: enough to find it in the store, and to see whether
/// it changed.
struct IndexRecord {
  std::string site;
  std::string url;
  std::string modified;
  Instant learnt;
  std::vector<std::string> sections;  ///< that have the page, in the order of names
  friend bool operator==(const IndexRecord&, const IndexRecord&) = default;
};

std::string encode(const IndexRecord& record);
/// Nothing for bytes that are not a record.
std::optional<IndexRecord> decode_index_record(std::string_view bytes);

/// The term that only this page has.
std::string page_term(std::string_view site, std::string_view url);

/// The filter terms of a site: its origin, its host, and the domains above it.
std::vector<std::string> site_terms(std::string_view site);
/// "de-AT" has "de" and "de-at".
std::vector<std::string> language_terms(std::string_view tag);

}  // namespace sheaf::search
