#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/recipes/site_generator.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::publish {

/// What `publish --init` finds out about a project.
struct ProjectFacts {
  std::optional<SiteGenerator> generator;
  std::filesystem::path place;  ///< folder for sheaf.toml, which is never in a folder that is served
  std::string base;             ///< the site's URL; empty if unknown
  std::string output;           ///< the folder of rendered pages, relative to `place`
  bool output_exists = false;
  std::string sitemap;      ///< name of the sitemap that another program writes into the output; empty if
                            ///< there is none
  bool has_robots = false;  ///< there is a robots.txt in the output
  std::uint64_t pages = 0;
};

/// Inspects a folder: the project of a known generator, a folder with a usual output folder, or a folder of
/// rendered pages, whose sheaf.toml goes beside it. Fails for a folder of WordPress, which has a plugin.
base::Result<ProjectFacts> inspect_project(const std::filesystem::path& folder);

/// A sheaf.toml for the project, with comments on what else can be set. A pure function.
std::string draft_config(const ProjectFacts& facts);

}  // namespace sheaf::publish
