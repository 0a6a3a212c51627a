#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/site/site_robots.h"

namespace sheaf::crawl {

/// Requests a robots.txt once, for site::read_robots. Reads at most site::kRobotsBytes + 1 bytes and does not
/// follow redirects.
base::Result<site::RobotsReply> request_robots(http::fetch::Fetcher& fetcher, const base::Url& url,
                                               unsigned most_tries);

/// Converts the response of http::fetch::fetch_robots_file for site::read_robots.
site::RobotsReply to_robots_reply(http::fetch::Fetcher::Text text);

}  // namespace sheaf::crawl
