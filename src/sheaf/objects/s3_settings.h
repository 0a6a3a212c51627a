#pragma once

#include <cstdint>
#include <optional>
#include <string>

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

}  // namespace sheaf::objects
