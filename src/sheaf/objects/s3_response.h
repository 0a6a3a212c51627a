#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/object_store.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Parses the XML responses of S3-compatible stores. The parser expands no entities, loads nothing, stops at a
// document type, and limits the size, depth and names of a response.
namespace sheaf::objects {

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

}  // namespace sheaf::objects
