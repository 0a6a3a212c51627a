#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sheaf::objects {

/// S3 and compatible stores: R2, MinIO, Spaces, ...
struct S3Settings {
  std::string bucket;
  std::string endpoint;            ///< "https://s3.example"; empty: that of AWS in the region
  std::string region;              ///< empty: by the environment
  std::string profile;             ///< of ~/.aws; empty: by the environment
  std::optional<bool> path_style;  ///< the bucket in the path instead of the host's name; by the endpoint
  unsigned tries = 6;              ///< of each request, with longer and longer waits between
  std::uint64_t part_bytes = std::uint64_t{16} << 20U;  ///< larger files go in parts of this size
};

}  // namespace sheaf::objects
