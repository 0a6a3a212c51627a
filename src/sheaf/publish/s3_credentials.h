#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/delivery_config.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// A variable of the environment; nullopt if it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// What is needed to speak to a store. The keys must never get into a message.
struct S3Account {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  ///< empty for keys that do not expire
  std::string region;
  std::string endpoint;  ///< empty for that of AWS
};

/// Looks where other programs look, in their order: a profile that the configuration names, the variables
/// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, the profile AWS_PROFILE or "default" in
/// ~/.aws/credentials and ~/.aws/config. The region: configuration, AWS_REGION, AWS_DEFAULT_REGION, profile,
/// us-east-1. The endpoint: configuration, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL.
base::Result<S3Account> find_s3_account(const S3Delivery& delivery, const Environment& environment);

/// A value of an INI file: of `key` in [section]. The last one counts.
std::optional<std::string> ini_value(std::string_view text, std::string_view section, std::string_view key);

}  // namespace sheaf::publish
