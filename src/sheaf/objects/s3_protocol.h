#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/object_store.h"
#include "sheaf/objects/s3_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The rules of the S3 protocol, as pure functions.
namespace sheaf::objects {

// Parses the XML responses of S3-compatible stores. The parser expands no entities, loads nothing, stops at a
// document type, and limits the size, depth and names of a response.

/// A longer response is not parsed. A page of a listing has at most 1000 names of 1024 bytes.
inline constexpr std::size_t kResponseBytes = std::size_t{8} << 20U;

struct S3Error {
  std::string code;     ///< "NoSuchKey"
  std::string message;  ///< human-readable; may be empty
};

/// Nullopt if the response does not name an error. Elements before a fault in the XML are used.
std::optional<S3Error> parse_s3_error(std::string_view body);

/// The id of a new multipart upload; nullopt if there is none.
std::optional<std::string> parse_upload_id(std::string_view body);

struct S3Listing {
  std::vector<ObjectInfo> objects;
  std::string next;  ///< the continuation token of the next page; empty after the last
};

/// Parses one page of ListObjectsV2. Fails with Errc::invalid_data for anything else, and for a truncated
/// list without a continuation token.
base::Result<S3Listing> parse_listing(std::string_view body);

/// The URL of a bucket, with a trailing slash: "https://bucket.s3.eu-west-1.amazonaws.com/", or with the
/// bucket in the path for other endpoints. Nullopt if the endpoint is not a URL.
std::optional<std::string> bucket_url(const S3Settings& settings, const S3Account& account);

/// Percent-encodes everything except letters, digits, -, ., _, ~ and slashes, as the signature requires.
std::string encode_key(std::string_view key);
/// The same for a query value, which must not contain plain slashes.
std::string encode_query_value(std::string_view value);

/// "403 AccessDenied: Access Denied", from an error response. Contains neither keys nor signed data.
std::string describe_refusal(int status, std::string_view body, const S3Account& account);

/// Whether a name is valid: not empty, and without "." and ".." segments, which URLs resolve.
bool is_object_name(std::string_view name);

/// The body of the request that completes a multipart upload.
std::string complete_upload_body(const std::vector<std::string>& etags);

/// The part size: as requested, or larger if there would be more than 10,000 parts.
std::uint64_t part_size_for(std::uint64_t file_size, std::uint64_t wished);

}  // namespace sheaf::objects
