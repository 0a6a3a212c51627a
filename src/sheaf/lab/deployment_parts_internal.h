#pragma once

#include "sheaf/lab/deployment.h"

#include <string>
#include <string_view>

// Helpers that several groups of deployments share.
namespace sheaf::lab {

inline std::string_view path_of(const LabRequest& request) {
  return std::string_view(request.path).substr(0, request.path.find('?'));
}

inline bool is_collection(const LabRequest& request) {
  return path_of(request).ends_with(".scp.zst") || path_of(request).ends_with(".scp.gz");
}

/// Whether this requests the newest snapshot as gzip. If only that file is broken, the same pages are still
/// available as zstd.
inline bool is_gzip_snapshot(const LabSite& site, const LabRequest& request) {
  return path_of(request) == site.snapshot + ".scp.gz";
}

/// Answers the request again, as if it did not have this header.
inline void ignore_header(const LabSite& site, LabRequest request, std::string_view name,
                          LabResponse& response) {
  request.remove_header(name);
  response = answer_request(site, request);
}

}  // namespace sheaf::lab
