#pragma once

#include "sheaf/base/url.h"
#include "sheaf/database/database.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/publish/sources/source.h"

#include <cstdint>
#include <memory>
#include <string>

namespace sheaf::publish {

struct FeedSourceOptions {
  std::string place;  ///< the URL of the feed, or a file
  std::string name;   ///< name of the source in the database
  base::Url base;
  std::uint64_t body_limit = 0;
  http::fetch::FetchOptions fetch = {};
};

/// The entries of an RSS or Atom feed or a JSON Feed.
///
/// A feed has only the newest entries. So entries of earlier runs are kept in the database `kept`, and stay
/// pages of the site. An entry is removed if the feed says so, or if it is missing although the feed has
/// older entries. Nothing changes if the feed cannot be read. `kept` must outlive the source.
std::unique_ptr<Source> feed_source(FeedSourceOptions options, database::Database& kept);

}  // namespace sheaf::publish
