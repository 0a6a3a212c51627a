#pragma once

#include "sheaf/objects/object_store.h"
#include "sheaf/objects/s3_store.h"

#include <optional>
#include <string>
#include <variant>

namespace sheaf::publish {

struct DeliveryConfig {
  std::variant<std::monostate, objects::S3Settings, objects::CommandSettings>
      to;                             ///< monostate: the folder itself is served
  std::optional<std::string> prefix;  ///< prefix of the collections' names; by default derived from their URL
  std::string sitemap;                ///< name of the sitemap at the target; derived from its URL if empty
  bool with_sitemap = true;           ///< false: the sitemap is not delivered, but served from its file
};

}  // namespace sheaf::publish
