#pragma once

#include "sheaf/lab/deployment.h"

#include <string>
#include <string_view>

// What several groups of deployments use.
namespace sheaf::lab {

inline std::string_view path_of(const LabRequest& request) {
  return std::string_view(request.path).substr(0, request.path.find('?'));
}

inline bool is_collection(const LabRequest& request) {
  return path_of(request).ends_with(".scp.zst") || path_of(request).ends_with(".scp.gz");
}

/// The newest snapshot as gzip: a fault of it leaves the same pages as zstd.
inline bool is_gzip_snapshot(const LabSite& site, const LabRequest& request) {
  return path_of(request) == site.snapshot + ".scp.gz";
}

/// Answers again, as if the request had no such header.
inline void ignore_header(const LabSite& site, LabRequest request, std::string_view name,
                          LabResponse& response) {
  request.remove_header(name);
  response = answer_request(site, request);
}

}  // namespace sheaf::lab
