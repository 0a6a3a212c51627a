#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/fetch/fetcher.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sheaf::publish {

/// Maximum number of URLs in an IndexNow request.
inline constexpr std::size_t kIndexNowBatch = 10'000;

struct IndexNowSite {
  std::string host;
  std::string key;
  std::string key_url;   ///< URL of the file with the key
  std::string endpoint;  ///< URL that the lists of URLs are sent to
};

/// The body of a request. A pure function.
std::string index_now_body(const IndexNowSite& site, const std::vector<std::string>& urls);

/// Tells search engines that these URLs, at most kIndexNowBatch, have changed (https://www.indexnow.org).
/// Errors say what the response means and what to do; the URLs must then be sent again later.
base::Result<void> submit_to_index_now(http::fetch::Fetcher& fetcher, const IndexNowSite& site,
                                       const std::vector<std::string>& urls);

/// A new key: 32 random hexadecimal digits.
std::string make_index_now_key();

}  // namespace sheaf::publish
