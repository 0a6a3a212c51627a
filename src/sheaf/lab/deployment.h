#pragma once

#include "sheaf/lab/lab_answer.h"
#include "sheaf/lab/lab_site.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::lab {

/// What the requests of a well-behaved client look like. Every deployment has in common: robots.txt comes
/// first, a User-Agent is sent, nothing below /private/ is requested, and no URL more than kMostRepeats
/// times.
struct Conduct {
  bool only_robots = false;       ///< nothing but robots.txt is requested
  std::string_view never = {};    ///< no path contains this
  std::string_view limited = {};  ///< paths that contain this are requested at most `most` times in all
  std::uint32_t most = 0;
};

/// A site with one fault. Its name is the code of the check of `sheaf doctor` that finds it.
struct Deployment {
  std::string_view name;
  std::string_view fault;                    ///< what is wrong, a sentence
  std::string_view expected;                 ///< what a client should do, a sentence
  void (*prepare)(LabSite& site) = nullptr;  ///< changes files
  void (*alter)(const LabSite& site, const LabRequest& request, LabResponse& response) = nullptr;
  Conduct conduct = {};
  LabHistory history = {};
  bool https = false;  ///< the site is https://lab.example, which has to be resolved to the lab
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
/// All of them, after one without a fault, `good`.
std::vector<const Deployment*> all_deployments();
const Deployment* find_deployment(std::string_view name);

}  // namespace sheaf::lab
