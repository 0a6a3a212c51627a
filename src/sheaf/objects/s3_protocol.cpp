#include "sheaf/objects/s3_protocol.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/url.h"
#include "sheaf/objects/s3_response.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::objects {
namespace {

constexpr std::uint64_t kMaxParts = 10'000;
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

void redact(std::string& text, const std::string& secret) {
  if (secret.empty()) return;
  for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 3))
    text.replace(at, secret.size(), "***");
}

}  // namespace

std::optional<std::string> bucket_url(const S3Settings& settings, const S3Account& account) {
  const bool aws = account.endpoint.empty();
  // A bucket name with a dot does not match the certificate's *.s3.amazonaws.com.
  const bool in_path = settings.path_style.value_or(!aws || settings.bucket.find('.') != std::string::npos);
  const auto endpoint =
      base::Url::parse(aws ? fmt::format("https://s3.{}.amazonaws.com", account.region) : account.endpoint);
  if (!endpoint || endpoint->has_query() || endpoint->has_fragment() || !endpoint->username().empty())
    return std::nullopt;
  std::string path(endpoint->path());
  if (!path.ends_with('/')) path += '/';
  if (in_path) return endpoint->origin() + path + encode_key(settings.bucket) + "/";
  const auto port = endpoint->port();
  return fmt::format("{}://{}.{}{}{}", endpoint->scheme(), settings.bucket, endpoint->host(),
                     port ? fmt::format(":{}", *port) : "", path);
}

std::string encode_key(std::string_view key) { return encode(key, true); }
std::string encode_query_value(std::string_view value) { return encode(value, false); }

bool is_object_name(std::string_view name) {
  if (name.empty()) return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view segment = name.substr(begin, end - begin);
    if (segment == "." || segment == "..") return false;
    begin = end + 1;
  }
  return true;
}

std::string describe_refusal(int status, std::string_view body, const S3Account& account) {
  std::string text = std::to_string(status);
  if (const auto error = parse_s3_error(body)) {
    if (!error->code.empty()) text += " " + error->code;
    if (!error->message.empty()) text += ": " + error->message;
  }
  // A server may echo the keys, so remove them. This comes before shortening, or half a key could remain.
  for (const std::string* secret : {&account.secret_key, &account.session_token, &account.access_key})
    redact(text, *secret);
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
  return std::max(wished, (file_size + kMaxParts - 1) / kMaxParts);
}

}  // namespace sheaf::objects
