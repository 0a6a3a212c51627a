#include "sheaf/base/file.h"
#include "sheaf/base/hex.h"
#include "sheaf/format/sha256.h"
#include "sheaf/http/retry.h"
#include "sheaf/publish/object_store.h"
#include "sheaf/publish/s3_protocol.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReadBytes = std::size_t{1} << 16U;
constexpr std::size_t kSitemapBytes = std::size_t{256} << 20U;  // far more than sitemaps.org allows

/// A stretch of an open file.
class FilePart final : public http::RequestBody {
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
    // Not Errc::io: the disk gets no better by sending again.
    return base::fail(base::Errc::invalid_data, base::system_error(errno, "cannot read " + name_).message);
  }

 private:
  int descriptor_;
  std::string name_;
  std::uint64_t begin_;
  std::uint64_t size_;
};

/// What the server compares with what arrived.
base::Result<std::string> hash_of(const http::RequestBody& body) {
  format::Sha256 sha;
  std::array<char, kReadBytes> buffer;
  for (std::uint64_t at = 0; at < body.size();) {
    SHEAF_TRY_ASSIGN(const std::size_t count, body.read_at(at, buffer));
    if (count == 0) return base::fail(base::Errc::invalid_data, "a file became shorter while it was read");
    sha.update({buffer.data(), count});
    at += count;
  }
  return base::to_hex(sha.finish());
}

using Headers = std::vector<std::pair<std::string, std::string>>;

Headers headers_of(const ObjectLabel& label) {
  Headers headers = {{"content-type", label.content_type}, {"cache-control", label.cache_control}};
  if (!label.content_encoding.empty()) headers.emplace_back("content-encoding", label.content_encoding);
  return headers;
}

class S3Store final : public ObjectStore {
 public:
  S3Store(const S3Delivery& delivery, S3Account account)
      : bucket_(delivery.bucket),
        part_bytes_(delivery.part_bytes),
        retry_{.tries = delivery.tries},
        account_(std::move(account)),
        url_(bucket_url(delivery, account_)),
        signer_{account_.access_key, account_.secret_key, account_.region, "s3"},
        client_(http::curl_client({})) {}

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
    return answer.status == 404 ? base::Result<void>() : expect_success(answer, "remove", key);
  }

  base::Result<bool> has(const std::string& key, std::uint64_t size) override {
    SHEAF_TRY_ASSIGN(const auto answer, send("HEAD", key, "", {}, nullptr));
    // Without the right to list a bucket, what is not there is forbidden. To send it again shows which it is.
    if (answer.status == 404 || answer.status == 403) return false;
    SHEAF_TRY(expect_success(answer, "look for", key));
    const std::string_view text = answer.header("content-length");
    std::uint64_t found = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found);
    return error == std::errc() && end == text.data() + text.size() && found == size;
  }

  base::Result<std::optional<std::string>> read(const std::string& key) override {
    SHEAF_TRY_ASSIGN(auto answer, send("GET", key, "", {}, nullptr));
    if (answer.status == 404 && xml_text(answer.body, "Code") != "NoSuchBucket") return std::nullopt;
    SHEAF_TRY(expect_success(answer, "read", key));
    return std::move(answer.body);
  }

 private:
  /// One after the other, each read from the file as it is sent: memory does not depend on sizes.
  base::Result<void> put_parts(const std::string& key, const FilePart& whole, const ObjectLabel& label) {
    const http::TextBody nothing("");
    // `uploads=` and not `uploads`: what is signed has the sign.
    SHEAF_TRY_ASSIGN(const auto begun, send("POST", key, "?uploads=", headers_of(label), &nothing));
    SHEAF_TRY(expect_success(begun, "put", key));
    const auto id = xml_text(begun.body, "UploadId");
    if (!id || id->empty())
      return base::fail(base::Errc::invalid_data,
                        fmt::format("{} began an upload in parts of {} and did not name it", name(), key));
    const std::string upload = "uploadId=" + encode_query_value(*id);
    auto done = send_parts(key, whole, upload);
    // Parts that nobody completes cost money. If that fails too, the first failure is what matters.
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
      etags.emplace_back(answer.header("etag"));
      if (etags.back().empty())
        return base::fail(base::Errc::invalid_data,
                          fmt::format("{} took a part of {} and gave it no ETag", name(), key));
    }
    const std::string body = complete_upload_body(etags);
    const http::TextBody text(body);
    SHEAF_TRY_ASSIGN(const auto answer,
                     send("POST", key, "?" + upload, {{"content-type", "application/xml"}}, &text));
    // The answer to a first try may have been lost: then there is no such upload any more, but the object.
    if (answer.status == 404) {
      SHEAF_TRY_ASSIGN(const bool there, has(key, whole.size()));
      if (there) return {};
    }
    SHEAF_TRY(expect_success(answer, "put", key));
    if (answer.body.find("<Error>") != std::string::npos)  // 200 was sent before the work was done
      return refusal(answer, "put", key);
    return {};
  }

  base::Result<http::ClientAnswer> send(const std::string& method, const std::string& key,
                                        const std::string& query, Headers headers,
                                        const http::RequestBody* body) {
    if (!url_)
      return base::fail(
          base::Errc::invalid_argument,
          "the endpoint of the storage must be an http or https address, as https://s3.example");
    http::ClientRequest request;
    request.method = method;
    request.url = *url_ + encode_key(key) + query;
    request.headers = std::move(headers);
    request.body = body;
    request.signer = &signer_;
    if (method == "GET") request.answer_limit = kSitemapBytes;
    const http::TextBody nothing("");
    SHEAF_TRY_ASSIGN(std::string hash, hash_of(body != nullptr ? *body : nothing));
    request.headers.emplace_back("x-amz-content-sha256", std::move(hash));
    if (!account_.session_token.empty())
      request.headers.emplace_back("x-amz-security-token", account_.session_token);
    auto answer = http::send_with_retries(*client_, request, retry_);
    if (!answer)
      return base::fail(answer.error().code,
                        fmt::format("cannot reach {} for {}: {}", name(), key, answer.error().message));
    return answer;
  }

  base::Result<void> expect_success(const http::ClientAnswer& answer, std::string_view what,
                                    const std::string& key) const {
    if (answer.status >= 200 && answer.status < 300) return {};
    return refusal(answer, what, key);
  }

  [[nodiscard]] std::unexpected<base::Error> refusal(const http::ClientAnswer& answer, std::string_view what,
                                                     const std::string& key) const {
    const bool denied = answer.status == 401 || answer.status == 403;
    return base::fail(denied ? base::Errc::permission_denied : base::Errc::io,
                      fmt::format("cannot {} {} on {}: {}{}", what, key, name(),
                                  describe_refusal(answer.status, answer.body, account_),
                                  denied ? "; check the keys, their rights, and the region" : ""));
  }

  std::string bucket_;
  std::uint64_t part_bytes_;
  http::RetryPolicy retry_;
  S3Account account_;
  std::optional<std::string> url_;
  http::RequestSigner signer_;
  std::unique_ptr<http::Client> client_;
};

}  // namespace

std::unique_ptr<ObjectStore> s3_store(const S3Delivery& delivery, S3Account account) {
  return std::make_unique<S3Store>(delivery, std::move(account));
}

}  // namespace sheaf::publish
