#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sheaf::publish {

/// S3 and what speaks its protocol: R2, MinIO, Spaces, ...
struct S3Delivery {
  std::string bucket;
  std::string endpoint;            ///< "https://s3.example"; empty: that of AWS in the region
  std::string region;              ///< empty: by the environment
  std::string profile;             ///< of ~/.aws; empty: by the environment
  std::optional<bool> path_style;  ///< the bucket in the path instead of the host's name; by the endpoint
  unsigned tries = 6;              ///< of each request, with longer and longer waits between
  std::uint64_t part_bytes = std::uint64_t{16} << 20U;  ///< larger files go in parts of this size
};

/// Programs of the user's, word by word. In each word {file}, {name}, {type}, {encoding} and {cache} are
/// replaced; no shell reads them.
struct CommandDelivery {
  std::vector<std::string> put;
  std::vector<std::string> remove;  ///< may be empty: then old files stay
};

struct DeliveryConfig {
  std::variant<std::monostate, S3Delivery, CommandDelivery> to;  ///< monostate: the folder is what is served
  std::optional<std::string> prefix;  ///< before the names of collections; by their address unless given
  std::string sitemap;                ///< the sitemap's name there; by its address unless given
  bool with_sitemap = true;           ///< or it is served from its file
};

}  // namespace sheaf::publish
