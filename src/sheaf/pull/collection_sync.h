#pragma once

#include "sheaf/pull/cross_submission.h"
#include "sheaf/pull/discover.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/pull/pull.h"

namespace sheaf::pull {

/// What the collections of a site need of it.
struct CollectionsTask {
  store::PageStore& store;
  std::string site;  ///< its name in the store
  const OffersBySection& offers;
  const site::RobotsRules& rules;
  Downloads& downloads;
  CrossSubmissions& hosts;
  const PullOptions& options;
};

/// Brings one section up to date from what is offered. What goes wrong is in the report; an error is for the
/// store or the disk.
base::Result<PullSectionReport> pull_section(const CollectionsTask& task, const std::string& section);

}  // namespace sheaf::pull
