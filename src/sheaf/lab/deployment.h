#pragma once

#include "sheaf/lab/lab_site.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::lab {

/// What the requests of a well-behaved client look like. In every deployment, the client requests robots.txt
/// first, sends a User-Agent, requests nothing below /private/, and no URL more than kMaxRepeats times.
struct Conduct {
  bool only_robots = false;       ///< requests only robots.txt
  std::string_view never = {};    ///< requests no path that contains this
  std::string_view limited = {};  ///< requests paths that contain this at most `most` times in total
  std::uint32_t most = 0;
};

/// A site with one fault. Its name is the code of the `sheaf doctor` check that finds the fault.
struct Deployment {
  std::string_view name;
  std::string_view fault;                    ///< what is wrong, as a sentence
  std::string_view expected;                 ///< what a client should do, as a sentence
  void (*prepare)(LabSite& site) = nullptr;  ///< changes files of the published site
  void (*alter)(const LabSite& site, const LabRequest& request, LabResponse& response) = nullptr;
  Conduct conduct = {};
  LabHistory history = {};
  bool https = false;  ///< the site is https://lab.example, and clients must resolve that name to the lab
};

/// The host of deployments that need https URLs.
inline constexpr std::string_view kSecureHost = "lab.example";

std::span<const Deployment> robots_deployments();
std::span<const Deployment> sitemap_deployments();
std::span<const Deployment> listing_deployments();
std::span<const Deployment> transfer_deployments();
std::span<const Deployment> caching_deployments();
std::span<const Deployment> content_deployments();
std::span<const Deployment> page_deployments();
/// Returns all deployments. The first is `good`, which has no fault.
std::vector<const Deployment*> all_deployments();
const Deployment* find_deployment(std::string_view name);

// Helpers that several groups of deployments share.

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
