#pragma once

#include "sheaf/objects/command_store.h"
#include "sheaf/objects/s3_settings.h"

#include <optional>
#include <string>
#include <variant>

namespace sheaf::publish {

struct DeliveryConfig {
  std::variant<std::monostate, objects::S3Settings, objects::CommandSettings>
      to;                             ///< monostate: the folder is what is served
  std::optional<std::string> prefix;  ///< before the names of collections; by their address unless given
  std::string sitemap;                ///< the sitemap's name there; by its address unless given
  bool with_sitemap = true;           ///< or it is served from its file
};

}  // namespace sheaf::publish
