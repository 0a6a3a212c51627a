#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/section_run.h"
#include "sheaf/site/robots.h"

#include <span>
#include <string>
#include <vector>

namespace sheaf::publish {

/// Whether clients fetch the collections from the output folder. Otherwise they are delivered to a target.
bool is_served_from_folder(const PublishConfig& config);

/// Whether robots.txt names the sitemap that has our elements.
bool names_sitemap(const site::RobotsTxt& robots, const PublishConfig& config);

/// Fails if no page is left because all of them belong to another site, which means that the base is wrong.
base::Result<void> check_base(const PublishConfig& config, std::span<const PublishSectionReport> sections);

/// Fails if nothing is published because every item was skipped.
base::Result<void> check_skipped(std::span<const PublishSectionReport> sections);

/// A sentence for each section in which dates of pages were corrected.
std::vector<std::string> describe_redated(std::span<const PublishSectionReport> sections);

/// What the user has to do after a run: build an empty site, serve a folder, add a line to robots.txt.
std::vector<std::string> advise(const PublishConfig& config, const site::RobotsTxt& robots,
                                std::span<const PublishSectionReport> sections);

}  // namespace sheaf::publish
