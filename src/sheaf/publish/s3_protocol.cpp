#include "sheaf/publish/s3_protocol.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sheaf::publish {
namespace {

constexpr std::uint64_t kMostParts = 10'000;
constexpr std::size_t kRefusalBytes = 500;

std::string encode(std::string_view text, bool keep_slashes) {
  std::string result;
  for (const char c : text) {
    const bool plain = base::is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~' ||
                       (c == '/' && keep_slashes);
    if (plain) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
    {{"&quot;", '"'}, {"&apos;", '\''}, {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}}};

std::string without_entities(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto* entity =
        std::ranges::find_if(kEntities, [&](const auto& each) { return text.starts_with(each.first); });
    result += entity == kEntities.end() ? text.front() : entity->second;
    text.remove_prefix(entity == kEntities.end() ? 1 : entity->first.size());
  }
  return result;
}

void hide(std::string& text, const std::string& secret) {
  if (secret.empty()) return;
  for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 3))
    text.replace(at, secret.size(), "***");
}

}  // namespace

std::optional<std::string> bucket_url(const S3Delivery& delivery, const S3Account& account) {
  const bool aws = account.endpoint.empty();
  // A dot in the bucket's name does not fit the certificate's *.s3.amazonaws.com.
  const bool in_path = delivery.path_style.value_or(!aws || delivery.bucket.find('.') != std::string::npos);
  const auto endpoint =
      base::Url::parse(aws ? fmt::format("https://s3.{}.amazonaws.com", account.region) : account.endpoint);
  if (!endpoint || endpoint->has_query() || endpoint->has_fragment() || !endpoint->username().empty())
    return std::nullopt;
  std::string path(endpoint->path());
  if (!path.ends_with('/')) path += '/';
  if (in_path) return endpoint->origin() + path + encode_key(delivery.bucket) + "/";
  const auto port = endpoint->port();
  return fmt::format("{}://{}.{}{}{}", endpoint->scheme(), delivery.bucket, endpoint->host(),
                     port ? fmt::format(":{}", *port) : "", path);
}

std::string encode_key(std::string_view key) { return encode(key, true); }
std::string encode_query_value(std::string_view value) { return encode(value, false); }

std::optional<std::string> xml_text(std::string_view xml, std::string_view element) {
  const std::string open = fmt::format("<{}>", element);
  const std::size_t begin = xml.find(open);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view rest = xml.substr(begin + open.size());
  const std::size_t end = rest.find('<');
  if (end == std::string_view::npos) return std::nullopt;
  return without_entities(rest.substr(0, end));
}

std::string describe_refusal(int status, std::string_view body, const S3Account& account) {
  std::string text = std::to_string(status);
  if (const auto code = xml_text(body, "Code")) text += " " + *code;
  if (const auto message = xml_text(body, "Message")) text += ": " + *message;
  // Whatever a server echoes: the keys are ours to keep. Before it is cut, or half of one could stay.
  for (const std::string* secret : {&account.secret_key, &account.session_token, &account.access_key})
    hide(text, *secret);
  if (text.size() > kRefusalBytes) text.resize(kRefusalBytes);
  return text;
}

std::string complete_upload_body(const std::vector<std::string>& etags) {
  std::string body = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
  for (std::size_t i = 0; i < etags.size(); ++i) {
    std::string etag;
    for (const char c : etags[i]) etag += c == '<' || c == '&' ? '_' : c;
    body += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", i + 1, etag);
  }
  return body + "</CompleteMultipartUpload>";
}

std::uint64_t part_size_for(std::uint64_t file_size, std::uint64_t wished) {
  return std::max(wished, (file_size + kMostParts - 1) / kMostParts);
}

}  // namespace sheaf::publish
