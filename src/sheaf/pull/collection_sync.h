#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/site_context.h"

#include <string>

namespace sheaf::pull {

/// What the sections of one pull share.
struct CollectionsTask {
  SiteContext& site;
  const site::Advertised& advertised;
  const OffersBySection& offers;
  store::Losses losses = store::Losses::accept;
};

/// Brings one section up to date: plans, fetches and applies files, and plans again if a file is unusable.
/// Failures of the site are part of the report; an Error means that the store or the disk failed.
base::Result<PullSectionReport> pull_section(const CollectionsTask& task, const std::string& section);

}  // namespace sheaf::pull
