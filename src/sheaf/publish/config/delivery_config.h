#pragma once

#include "sheaf/objects/command_store.h"
#include "sheaf/objects/s3_settings.h"

#include <optional>
#include <string>
#include <variant>

namespace sheaf::publish {

struct DeliveryConfig {
  std::variant<std::monostate, objects::S3Settings, objects::CommandSettings>
      to;                             ///< monostate: the folder itself is served
  std::optional<std::string> prefix;  ///< before the names of collections; derived from their URL if empty
  std::string sitemap;                ///< the sitemap's name there; derived from its URL if empty
  bool with_sitemap = true;           ///< false: it is served from its file
};

}  // namespace sheaf::publish
