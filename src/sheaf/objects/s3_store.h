#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/object_store.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::objects {

/// S3 and compatible stores: R2, MinIO, Spaces, ...
struct S3Settings {
  std::string bucket;
  std::string endpoint;            ///< "https://s3.example"; empty: from the environment, or that of AWS
  std::string region;              ///< empty: from the environment
  std::string profile;             ///< in ~/.aws; empty: from the environment
  std::optional<bool> path_style;  ///< bucket in the path, not in the host name; nullopt: by the endpoint
  unsigned tries = 6;              ///< per request, with growing waits between them
  std::uint64_t part_bytes = std::uint64_t{16} << 20U;  ///< larger files are uploaded in parts of this size
};

/// An environment variable; nullopt if it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// Credentials and location of a store. The keys must not appear in messages.
struct S3Account {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  ///< empty for keys that do not expire
  std::string region;
  std::string endpoint;  ///< empty: the endpoint of AWS
};

/// Searches the same places as other tools, in the same order. If the configuration names a profile, only
/// that is used. Otherwise the keys come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN,
/// or else from the profile AWS_PROFILE or "default" in ~/.aws/credentials and ~/.aws/config. The region
/// comes from the configuration, AWS_REGION, AWS_DEFAULT_REGION, the profile, or is us-east-1. The endpoint
/// comes from the configuration, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, or the profile.
base::Result<S3Account> find_s3_account(const S3Settings& settings, const Environment& environment);

/// The value of `key` in [section] of an INI file; the last one if there are several.
std::optional<std::string> ini_value(std::string_view text, std::string_view section, std::string_view key);

/// A bucket of S3 or of a compatible store.
std::unique_ptr<ObjectStore> s3_store(const S3Settings& settings, S3Account account);

}  // namespace sheaf::objects
