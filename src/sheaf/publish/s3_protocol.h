#pragma once

#include "sheaf/publish/s3_credentials.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What S3 and its like want to see and what they answer: pure functions.
namespace sheaf::publish {

/// The address of a bucket, with a slash at its end: "https://bucket.s3.eu-west-1.amazonaws.com/", or with
/// the bucket in the path for other endpoints. nullopt if the endpoint is no address.
std::optional<std::string> bucket_url(const S3Delivery& delivery, const S3Account& account);

/// Everything but letters, digits, -, ., _ and ~ as %XX, as the signature wants it; slashes stay.
std::string encode_key(std::string_view key);
/// The same, slashes too, for the value of a query.
std::string encode_query_value(std::string_view value);

/// The text of the first element of that name in an answer, entities resolved. nullopt if there is none.
std::optional<std::string> xml_text(std::string_view xml, std::string_view element);

/// "403 AccessDenied: Access Denied", from an answer that says no. Neither keys nor what was signed.
std::string describe_refusal(int status, std::string_view body, const S3Account& account);

/// The body that ends an upload in parts.
std::string complete_upload_body(const std::vector<std::string>& etags);

/// The size of the parts: as wished, more where there would be over 10,000 of them.
std::uint64_t part_size_for(std::uint64_t file_size, std::uint64_t wished);

}  // namespace sheaf::publish
