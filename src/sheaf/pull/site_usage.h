#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/store/page_store.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::pull {

/// What a site says its content may be used for, verbatim: lines of its robots.txt and header fields of its
/// collections. sheaf does not interpret them; that is up to the consumer of the pages.
struct SiteUsage {
  static constexpr std::size_t kMaxHeaders = 50;

  std::vector<std::string> robots = {};   ///< lines, each with the name of the crawler it applies to
  std::vector<std::string> headers = {};  ///< "Content-Usage: ...", "Link: <...>; rel=\"license\"", distinct

  [[nodiscard]] bool empty() const { return robots.empty() && headers.empty(); }
  /// Adds the fields of a response that state preferences.
  void add(const http::fetch::FetchHead& head);
  friend bool operator==(const SiteUsage&, const SiteUsage&) = default;
};

std::string encode(const SiteUsage& usage);
std::optional<SiteUsage> decode_usage(std::string_view bytes);

inline constexpr std::string_view kUsageNote = "usage";
/// Returns an empty SiteUsage if none is stored.
base::Result<SiteUsage> read_usage_note(const store::PageStore& store, std::string_view site);
/// Writes only if something has changed.
base::Result<void> write_usage_note(store::PageStore& store, std::string_view site, const SiteUsage& usage);

}  // namespace sheaf::pull
