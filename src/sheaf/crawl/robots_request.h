#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/site/site_robots.h"

namespace sheaf::crawl {

/// One request for a robots.txt, for site::read_robots. At most site::kRobotsBytes + 1 bytes are read, and
/// redirects are not followed.
base::Result<site::RobotsReply> request_robots(http::fetch::Fetcher& fetcher, const base::Url& url,
                                               unsigned most_tries);

/// The answer of http::fetch::fetch_robots_file as site::read_robots takes it.
site::RobotsReply to_robots_reply(http::fetch::Fetcher::Text text);

}  // namespace sheaf::crawl
