#pragma once

#include "sheaf/base/error.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::http {

/// Bytes to be sent, which can be read again from any place, so that a request can be repeated.
class RequestBody {
 public:
  virtual ~RequestBody() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Fills `out` from `offset`, which lies before the end, as far as there are bytes.
  virtual base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const = 0;
};

/// A body in memory that must outlive it.
class TextBody final : public RequestBody {
 public:
  explicit TextBody(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override;

 private:
  std::string_view bytes_;
};

/// Signs a request with AWS Signature Version 4. The caller puts `x-amz-content-sha256` into the headers, and
/// `x-amz-security-token` where there is one.
struct RequestSigner {
  std::string access_key;
  std::string secret_key;
  std::string region;
  std::string service;
};

struct ClientRequest {
  std::string method = "GET";
  std::string url = {};  ///< http or https, with its path and query encoded as they are to be sent
  std::vector<std::pair<std::string, std::string>> headers = {};
  const RequestBody* body = nullptr;
  const RequestSigner* signer = nullptr;
  std::size_t answer_limit = std::size_t{1} << 20U;  ///< a longer body is an error
};

struct ClientAnswer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
  std::string body;

  /// The value of the first header of that name, given in lower case; empty if there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

/// Sends requests one after the other and keeps connections open between them. One thread at a time.
class Client {
 public:
  virtual ~Client() = default;

  /// Any answer is one, also 404 and 503. Redirects are not followed. No message has a header or a key in it.
  /// Errors: Errc::io where another try may help (no connection, cut off, timed out); any other code where it
  /// will not (an address that is none, a certificate that is not trusted, a body that cannot be read).
  virtual base::Result<ClientAnswer> send(const ClientRequest& request) = 0;
};

struct ClientOptions {
  std::string user_agent = "sheaf";
  std::chrono::seconds connect_timeout{15};
  std::chrono::seconds stall_timeout{60};  ///< next to nothing sent or received for so long
};

/// Over libcurl: HTTP/1.1 and HTTP/2, TLS by the system's certificates, proxies by the usual variables.
std::unique_ptr<Client> curl_client(const ClientOptions& options);

}  // namespace sheaf::http
