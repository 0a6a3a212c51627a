#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The parts that an upload adds to a request: a body and a signature.
namespace sheaf::http::fetch {

/// Bytes to send. They can be read again from any offset, so a request can be retried.
class RequestBody {
 public:
  virtual ~RequestBody() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Fills `out` with the bytes from `offset`, which is before the end. An error ends the request without a
  /// retry; fetch() returns it.
  virtual base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const = 0;
};

/// A body in memory. The bytes must outlive it.
class TextBody final : public RequestBody {
 public:
  explicit TextBody(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const override;

 private:
  std::string_view bytes_;
};

/// Signs a request with AWS Signature Version 4. The caller adds the header `x-amz-content-sha256`, and
/// `x-amz-security-token` if there is a session token.
struct RequestSigner {
  std::string access_key;
  std::string secret_key;
  std::string region;
  std::string service;
};

}  // namespace sheaf::http::fetch
