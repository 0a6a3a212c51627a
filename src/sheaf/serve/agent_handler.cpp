#include "sheaf/serve/agent_handler.h"

#include "sheaf/base/url.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/http/signature/web_bot_auth.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <string>
#include <utility>

namespace sheaf::serve {
namespace {

using http::signature::BotVerdict;
using http::signature::RequestParts;

constexpr unsigned kDirectorySeconds = 10;

/// Makes one request and follows no redirects, because a directory speaks for its own origin only.
base::Result<std::string> fetch_directory(http::fetch::Fetcher& fetcher, const std::string& url,
                                          bool allow_private) {
  const auto parsed = base::Url::parse(url);
  if (!parsed || (parsed->scheme() != "https" && !allow_private))
    return base::fail(base::Errc::refused, fmt::format("{} is not https", url));
  http::fetch::FetchRequest request{
      .url = url, .limit = http::signature::kDirectoryBytes, .retry = false, .most_tries = 1};
  request.may_follow = [](std::string_view) { return false; };
  SHEAF_TRY_ASSIGN(auto text, fetcher.fetch_text(request));
  if (text.head.status != 200)
    return base::fail(base::Errc::io, fmt::format("{} answered {}", url, text.head.status));
  return std::move(text.body);
}

RequestParts parts_of(const http::server::Request& request) {
  const std::size_t query = request.target.find('?');
  RequestParts parts;
  parts.method = request.method == http::message::Method::head ? "HEAD" : "GET";
  parts.scheme = request.is_secure ? "https" : "http";
  parts.authority = request.fields.first("host");
  parts.path = request.target.substr(0, query);
  parts.has_query = query != std::string_view::npos;
  if (parts.has_query) parts.query = request.target.substr(query + 1);
  parts.field = [&request](std::string_view name) -> std::optional<std::string> {
    if (request.fields.count(name) == 0) return std::nullopt;
    return request.fields.joined(name);
  };
  return parts;
}

}  // namespace

std::unique_ptr<http::signature::AgentKeys> make_agent_keys(const AgentCheckOptions& options) {
  http::fetch::FetchOptions fetch;
  fetch.allow_private = options.allow_private;
  fetch.redirects = 0;
  fetch.timeout = std::chrono::seconds(kDirectorySeconds);
  fetch.tries = 1;
  auto fetcher = std::make_shared<http::fetch::Fetcher>(std::move(fetch));
  return std::make_unique<http::signature::AgentKeys>(
      [fetcher, allow = options.allow_private](const std::string& url) {
        return fetch_directory(*fetcher, url, allow);
      },
      options.keys, [] { return sheaf::now().seconds; });
}

AgentHandler::AgentHandler(http::server::RequestHandler& site,
                           std::unique_ptr<http::signature::AgentKeys> keys,
                           std::optional<http::signature::BotIdentityFiles> own,
                           std::function<std::int64_t()> clock)
    : site_(site), keys_(std::move(keys)), own_(std::move(own)), clock_(std::move(clock)) {}

http::server::Response AgentHandler::respond(const http::server::Request& request) {
  if (own_ && request.path == http::signature::kDirectoryPath) return directory(request);
  if (keys_ == nullptr || request.fields.count("signature-input") == 0) return site_.respond(request);
  auto found = keys_->verify(parts_of(request));
  http::server::Response response = site_.respond(request);
  if (found.verdict == BotVerdict::verified) response.identity = std::move(found.agent);
  return response;
}

http::server::Response AgentHandler::directory(const http::server::Request& request) const {
  http::server::Response response;
  response.status = 200;
  response.text = own_->directory();
  if (response.text.ends_with('\n')) response.text.pop_back();
  response.content_type = http::signature::kDirectoryType;
  const std::string authority =
      http::signature::normal_authority(request.fields.first("host"), request.is_secure ? "https" : "http");
  response.headers = http::signature::sign_directory(own_->signer(), authority, clock_());
  response.headers.push_back({"Cache-Control", "public, max-age=3600"});
  return response;
}

}  // namespace sheaf::serve
