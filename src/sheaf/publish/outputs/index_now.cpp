#include "sheaf/publish/outputs/index_now.h"

#include "sheaf/crypto/crypto.h"
#include "sheaf/format/json/json_writer.h"
#include "sheaf/http/fetch/fetcher.h"

#include <fmt/format.h>

#include <array>

namespace sheaf::publish {
namespace {

std::string_view meaning_of(int status) {
  switch (status) {
    case 400: return "it does not understand the request";
    case 403:
      return "it did not find the key file, or found another key in it; the site has to serve that file";
    case 422: return "the URLs do not belong to the host, or the key does not match";
    case 429: return "there were too many requests";
    default: return "it failed";
  }
}

}  // namespace

std::string index_now_body(const IndexNowSite& site, const std::vector<std::string>& urls) {
  format::JsonWriter json;
  json.begin_object().string("host", site.host).string("key", site.key).string("keyLocation", site.key_url);
  json.begin_array("urlList");
  for (const std::string& url : urls) json.element(url);
  json.end_array().end_object();
  return json.text();
}

base::Result<void> submit_to_index_now(http::fetch::Fetcher& fetcher, const IndexNowSite& site,
                                       const std::vector<std::string>& urls) {
  const std::string body = index_now_body(site, urls);
  const http::fetch::TextBody upload(body);
  http::fetch::FetchRequest request;
  request.url = site.endpoint;
  request.method = "POST";
  request.headers = {{"Content-Type", "application/json; charset=utf-8"}};
  request.body = &upload;
  SHEAF_TRY_ASSIGN(const auto response, fetcher.fetch_text(request));
  const int status = response.head.status;
  if (status == 200 || status == 202) return {};
  return base::fail(base::Errc::refused,
                    fmt::format("{} answered {}: {}", site.endpoint, status, meaning_of(status)));
}

std::string make_index_now_key() {
  std::array<std::uint8_t, 16> bytes{};
  crypto::fill_random(bytes);
  std::string key;
  for (const std::uint8_t byte : bytes) key += fmt::format("{:02x}", byte);
  return key;
}

}  // namespace sheaf::publish
