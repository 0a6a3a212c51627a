#include "sheaf/crawl/robots_request.h"

#include "sheaf/http/fetch/fetch_body.h"

#include <utility>

namespace sheaf::crawl {

base::Result<site::RobotsReply> request_robots(http::fetch::Fetcher& fetcher, const base::Url& url,
                                               unsigned most_tries) {
  SHEAF_TRY_ASSIGN(
      auto text, http::fetch::fetch_robots_file(fetcher, url.href(), site::kRobotsBytes + 1, {}, most_tries));
  return to_robots_reply(std::move(text));
}

site::RobotsReply to_robots_reply(http::fetch::Fetcher::Text text) {
  return {text.head.status, std::string(text.head.header("location")), std::move(text.body)};
}

}  // namespace sheaf::crawl
