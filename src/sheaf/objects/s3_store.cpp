#include "sheaf/objects/s3_store.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/objects/s3_protocol.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

namespace sheaf::objects {
namespace {

constexpr std::size_t kProfileBytes = std::size_t{1} << 20U;

std::string get(const Environment& environment, const std::string& name) {
  return environment ? environment(name).value_or("") : std::string();
}

base::Result<std::string> read_file(const std::string& path) {
  auto opened = base::open_source(path);
  if (!opened && opened.error().code == base::Errc::not_found) return std::string();
  SHEAF_TRY_ASSIGN(const auto source, std::move(opened));
  SHEAF_TRY_ASSIGN(std::string text, base::read_up_to(*source, kProfileBytes));
  if (text.size() > kProfileBytes)
    return base::fail(base::Errc::invalid_argument, fmt::format("{} is too large for a file of keys", path));
  return text;
}

/// The two files in ~/.aws and the selected profile.
class Profile {
 public:
  static base::Result<Profile> read(const std::string& name, const Environment& environment) {
    Profile profile;
    profile.name_ = name;
    const std::string folder = get(environment, "HOME") + "/.aws/";
    std::string credentials = get(environment, "AWS_SHARED_CREDENTIALS_FILE");
    std::string config = get(environment, "AWS_CONFIG_FILE");
    if (credentials.empty()) credentials = folder + "credentials";
    if (config.empty()) config = folder + "config";
    SHEAF_TRY_ASSIGN(profile.credentials_, read_file(credentials));
    SHEAF_TRY_ASSIGN(profile.config_, read_file(config));
    return profile;
  }

  [[nodiscard]] std::string value(std::string_view key) const {
    if (const auto found = ini_value(credentials_, name_, key)) return *found;
    const std::string section = name_ == "default" ? name_ : "profile " + name_;
    return ini_value(config_, section, key).value_or("");
  }

 private:
  std::string name_;
  std::string credentials_;
  std::string config_;
};

/// Takes the keys from variables. Returns false if neither is set. If only one is set, that is an error, not
/// a reason to look elsewhere.
base::Result<bool> take_variables(const Environment& environment, S3Account& account) {
  account.access_key = get(environment, "AWS_ACCESS_KEY_ID");
  account.secret_key = get(environment, "AWS_SECRET_ACCESS_KEY");
  account.session_token = get(environment, "AWS_SESSION_TOKEN");
  if (account.access_key.empty() != account.secret_key.empty())
    return base::fail(base::Errc::invalid_argument,
                      "only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set; set both or none");
  return !account.access_key.empty();
}

base::Result<void> take_profile(const Profile& profile, const std::string& name, S3Account& account) {
  account.access_key = profile.value("aws_access_key_id");
  account.secret_key = profile.value("aws_secret_access_key");
  account.session_token = profile.value("aws_session_token");
  if (!account.access_key.empty() && !account.secret_key.empty()) return {};
  return base::fail(base::Errc::invalid_argument,
                    fmt::format("there are no credentials for the storage: set AWS_ACCESS_KEY_ID and "
                                "AWS_SECRET_ACCESS_KEY, or put them into ~/.aws/credentials under [{}]",
                                name));
}

}  // namespace

std::optional<std::string> ini_value(std::string_view text, std::string_view section, std::string_view key) {
  std::optional<std::string> found;
  bool inside = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = base::trim_xml_space(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      const std::size_t close = line.find(']');
      inside = close != std::string_view::npos && base::trim_xml_space(line.substr(1, close - 1)) == section;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (inside && equals != std::string_view::npos && base::trim_xml_space(line.substr(0, equals)) == key)
      found = base::trim_xml_space(line.substr(equals + 1));
  }
  return found;
}

base::Result<S3Account> find_s3_account(const S3Settings& settings, const Environment& environment) {
  S3Account account;
  std::string name = settings.profile.empty() ? get(environment, "AWS_PROFILE") : settings.profile;
  if (name.empty()) name = "default";
  SHEAF_TRY_ASSIGN(const Profile profile, Profile::read(name, environment));
  bool found = false;
  if (settings.profile.empty()) {
    SHEAF_TRY_ASSIGN(found, take_variables(environment, account));
  }
  if (!found) SHEAF_TRY(take_profile(profile, name, account));

  for (const std::string& region :
       {settings.region, get(environment, "AWS_REGION"), get(environment, "AWS_DEFAULT_REGION"),
        profile.value("region"), std::string("us-east-1")})
    if (account.region.empty()) account.region = region;
  for (const std::string& endpoint : {settings.endpoint, get(environment, "AWS_ENDPOINT_URL_S3"),
                                      get(environment, "AWS_ENDPOINT_URL"), profile.value("endpoint_url")})
    if (account.endpoint.empty()) account.endpoint = endpoint;
  return account;
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReadBytes = std::size_t{1} << 16U;

/// A range of an open file.
class FilePart final : public http::fetch::RequestBody {
 public:
  FilePart(int descriptor, std::string name, std::uint64_t begin, std::uint64_t size)
      : descriptor_(descriptor), name_(std::move(name)), begin_(begin), size_(size) {}

  [[nodiscard]] FilePart piece(std::uint64_t offset, std::uint64_t size) const {
    return {descriptor_, name_, begin_ + offset, size};
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

  base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), size_ - offset));
    ssize_t count = 0;
    do {
      count = pread(descriptor_, out.data(), wanted, static_cast<off_t>(begin_ + offset));
    } while (count < 0 && errno == EINTR);
    if (count >= 0) return static_cast<std::size_t>(count);
    // Not Errc::io, which is retried: sending again does not repair the disk.
    return base::fail(base::Errc::invalid_data, base::system_error(errno, "cannot read " + name_).message);
  }

 private:
  int descriptor_;
  std::string name_;
  std::uint64_t begin_;
  std::uint64_t size_;
};

/// The hash that the server compares with the received bytes.
base::Result<std::string> hash_of(const http::fetch::RequestBody& body) {
  base::Sha256 sha;
  std::array<char, kReadBytes> buffer;
  for (std::uint64_t at = 0; at < body.size();) {
    SHEAF_TRY_ASSIGN(const std::size_t count, body.read_at(at, buffer));
    if (count == 0) return base::fail(base::Errc::invalid_data, "a file became shorter while it was read");
    sha.update({buffer.data(), count});
    at += count;
  }
  return base::to_hex(sha.finish());
}

using Response = http::fetch::Fetcher::Text;
using Headers = std::vector<std::pair<std::string, std::string>>;

Headers headers_of(const ObjectLabel& label) {
  Headers headers = {{"content-type", label.content_type}, {"cache-control", label.cache_control}};
  if (!label.content_encoding.empty()) headers.emplace_back("content-encoding", label.content_encoding);
  return headers;
}

/// The operator chose the server: it may be on a private network or behind a slow line.
http::fetch::FetchOptions fetch_options(const S3Settings& settings) {
  http::fetch::FetchOptions options(
      {.allow_private = true, .tries = settings.tries, .timeout = std::chrono::seconds(60)});
  options.slowest = 1;
  options.pace = http::fetch::TransferPace::without_minimum();
  return options;
}

class S3Store final : public ObjectStore {
 public:
  S3Store(const S3Settings& settings, S3Account account)
      : bucket_(settings.bucket),
        part_bytes_(settings.part_bytes),
        account_(std::move(account)),
        url_(bucket_url(settings, account_)),
        signer_{account_.access_key, account_.secret_key, account_.region, "s3"},
        fetcher_(fetch_options(settings)) {}

  [[nodiscard]] std::string name() const override {
    return account_.endpoint.empty() ? fmt::format("s3://{}", bucket_)
                                     : fmt::format("s3://{} at {}", bucket_, account_.endpoint);
  }
  [[nodiscard]] std::string identity() const override { return name(); }
  [[nodiscard]] bool is_readable() const override { return true; }

  base::Result<void> put(const std::string& key, const fs::path& path, const ObjectLabel& label) override {
    const base::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open())
      return std::unexpected(base::system_error(errno, fmt::format("cannot open {}", path.string())));
    std::error_code error;
    const std::uint64_t size = fs::file_size(path, error);
    if (error)
      return std::unexpected(base::system_error(error.value(), fmt::format("cannot read {}", path.string())));
    const FilePart whole(file.get(), path.string(), 0, size);
    if (size > part_bytes_) return put_parts(key, whole, label);
    SHEAF_TRY_ASSIGN(const auto answer, send("PUT", key, "", headers_of(label), &whole));
    return expect_success(answer, "put", key);
  }

  base::Result<void> remove(const std::string& key) override {
    SHEAF_TRY_ASSIGN(const auto answer, send("DELETE", key, "", {}, nullptr));
    return answer.head.status == 404 ? base::Result<void>() : expect_success(answer, "remove", key);
  }

  base::Result<std::optional<ObjectInfo>> head(const std::string& key) override {
    SHEAF_TRY_ASSIGN(const auto answer, send("HEAD", key, "", {}, nullptr));
    // Without permission to list the bucket, a missing object is reported as 403. If access is denied, the
    // upload will fail.
    if (answer.head.status == 404 || answer.head.status == 403) return std::nullopt;
    SHEAF_TRY(expect_success(answer, "look for", key));
    const auto size = answer.head.length();
    if (!size) return std::nullopt;
    return ObjectInfo{key, *size, std::string(answer.head.header("etag"))};
  }

  base::Result<std::optional<std::string>> get(const std::string& key, std::uint64_t limit) override {
    // An error response may be longer than the object.
    SHEAF_TRY_ASSIGN(auto answer,
                     send("GET", key, "", {}, nullptr, std::max<std::uint64_t>(limit, kResponseBytes)));
    if (answer.head.status == 404) {
      const auto error = parse_s3_error(answer.body);
      if (!error || error->code != "NoSuchBucket") return std::nullopt;
    }
    SHEAF_TRY(expect_success(answer, "read", key));
    if (answer.body.size() > limit)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("{} on {} is longer than {} bytes", key, name(), limit));
    return std::move(answer.body);
  }

  base::Result<void> list(const std::string& prefix, const Visitor& visit) override {
    std::string token;
    do {
      // Sorted by name, as in the signature.
      http::fetch::FetchRequest request;
      request.url = token.empty() ? "?" : "?continuation-token=" + encode_query_value(token) + "&";
      request.url += "list-type=2&prefix=" + encode_query_value(prefix);
      request.limit = kResponseBytes;
      SHEAF_TRY_ASSIGN(const auto answer, send_signed(std::move(request), prefix));
      SHEAF_TRY(expect_success(answer, "list", prefix));
      auto page = parse_listing(answer.body);
      if (!page) return base::fail(page.error().code, fmt::format("{}: {}", name(), page.error().message));
      for (const ObjectInfo& object : page->objects) SHEAF_TRY(visit(object));
      if (!page->next.empty() && page->next == token)
        return base::fail(base::Errc::invalid_data,
                          fmt::format("{} repeats a page of its list of objects", name()));
      token = std::move(page->next);
    } while (!token.empty());
    return {};
  }

  base::Result<bool> put_new(const std::string& key, std::string_view bytes,
                             const ObjectLabel& label) override {
    Headers headers = headers_of(label);
    headers.emplace_back("if-none-match", "*");
    const http::fetch::TextBody body(bytes);
    SHEAF_TRY_ASSIGN(const auto answer, send("PUT", key, "", std::move(headers), &body));
    // 412: the object exists. 409: another put of the object was under way.
    if (answer.head.status == 412 || answer.head.status == 409) return false;
    SHEAF_TRY(expect_success(answer, "put", key));
    return true;
  }

 private:
  /// Uploads the parts one after another, each read from the file as it is sent, so memory use is constant.
  base::Result<void> put_parts(const std::string& key, const FilePart& whole, const ObjectLabel& label) {
    const http::fetch::TextBody nothing("");
    // `uploads=`, not `uploads`: the signature covers the equals sign.
    SHEAF_TRY_ASSIGN(const auto begun, send("POST", key, "?uploads=", headers_of(label), &nothing));
    SHEAF_TRY(expect_success(begun, "put", key));
    const auto id = parse_upload_id(begun.body);
    if (!id)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("{} started a multipart upload of {} without an upload id", name(), key));
    const std::string upload = "uploadId=" + encode_query_value(*id);
    auto done = send_parts(key, whole, upload);
    // Incomplete uploads cost money, so abort. If that fails too, report the first failure.
    if (!done) (void)send("DELETE", key, "?" + upload, {}, nullptr);
    return done;
  }

  base::Result<void> send_parts(const std::string& key, const FilePart& whole, const std::string& upload) {
    const std::uint64_t part_size = part_size_for(whole.size(), part_bytes_);
    std::vector<std::string> etags;
    for (std::uint64_t begin = 0; begin < whole.size(); begin += part_size) {
      const FilePart part = whole.piece(begin, std::min(part_size, whole.size() - begin));
      SHEAF_TRY_ASSIGN(
          const auto answer,
          send("PUT", key, fmt::format("?partNumber={}&{}", etags.size() + 1, upload), {}, &part));
      SHEAF_TRY(expect_success(answer, "put", key));
      etags.emplace_back(answer.head.header("etag"));
      if (etags.back().empty())
        return base::fail(base::Errc::invalid_data,
                          fmt::format("{} accepted a part of {} without an ETag", name(), key));
    }
    const std::string body = complete_upload_body(etags);
    const http::fetch::TextBody text(body);
    SHEAF_TRY_ASSIGN(const auto answer,
                     send("POST", key, "?" + upload, {{"content-type", "application/xml"}}, &text));
    // The response to the first try may have been lost. Then the upload no longer exists, but the object
    // does.
    if (answer.head.status == 404) {
      SHEAF_TRY_ASSIGN(const auto there, head(key));
      if (there && there->size == whole.size()) return {};
    }
    SHEAF_TRY(expect_success(answer, "put", key));
    if (parse_s3_error(answer.body))  // the server sends 200 before it has done the work
      return refusal(answer, "put", key);
    return {};
  }

  base::Result<Response> send(const std::string& method, const std::string& key, const std::string& query,
                              Headers headers, const http::fetch::RequestBody* body,
                              std::uint64_t limit = kResponseBytes) {
    // An empty name would mean the bucket itself.
    if (!is_object_name(key))
      return base::fail(base::Errc::invalid_argument, fmt::format("an object cannot be named \"{}\"", key));
    http::fetch::FetchRequest request;
    request.url = encode_key(key) + query;
    request.headers = std::move(headers);
    request.limit = limit;
    request.method = method;
    request.body = body;
    return send_signed(std::move(request), key);
  }

  /// The request's URL is relative to the bucket's URL.
  base::Result<Response> send_signed(http::fetch::FetchRequest request, const std::string& subject) {
    if (!url_)
      return base::fail(base::Errc::invalid_argument,
                        "the endpoint of the storage must be an http or https URL, as https://s3.example");
    request.url = *url_ + request.url;
    request.signer = &signer_;
    const http::fetch::TextBody nothing("");
    SHEAF_TRY_ASSIGN(std::string hash, hash_of(request.body != nullptr ? *request.body : nothing));
    request.headers.emplace_back("x-amz-content-sha256", std::move(hash));
    if (!account_.session_token.empty())
      request.headers.emplace_back("x-amz-security-token", account_.session_token);
    auto answer = fetcher_.fetch_text(request);
    if (!answer)
      return base::fail(answer.error().code,
                        fmt::format("cannot reach {} for {}: {}", name(), subject, answer.error().message));
    return answer;
  }

  base::Result<void> expect_success(const Response& answer, std::string_view what,
                                    const std::string& key) const {
    if (answer.head.status >= 200 && answer.head.status < 300) return {};
    return refusal(answer, what, key);
  }

  [[nodiscard]] std::unexpected<base::Error> refusal(const Response& answer, std::string_view what,
                                                     const std::string& key) const {
    const bool denied = answer.head.status == 401 || answer.head.status == 403;
    return base::fail(denied ? base::Errc::permission_denied : base::Errc::io,
                      fmt::format("cannot {} {} on {}: {}{}", what, key, name(),
                                  describe_refusal(answer.head.status, answer.body, account_),
                                  denied ? "; check the keys, their rights, and the region" : ""));
  }

  std::string bucket_;
  std::uint64_t part_bytes_;
  S3Account account_;
  std::optional<std::string> url_;
  http::fetch::RequestSigner signer_;
  http::fetch::Fetcher fetcher_;
};

}  // namespace

std::unique_ptr<ObjectStore> s3_store(const S3Settings& settings, S3Account account) {
  return std::make_unique<S3Store>(settings, std::move(account));
}

}  // namespace sheaf::objects
