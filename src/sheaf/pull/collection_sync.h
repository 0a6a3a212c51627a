#pragma once

#include "sheaf/pull/cross_submission.h"
#include "sheaf/pull/discover.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/pull/pull.h"
#include "sheaf/pull/site_signing.h"
#include "sheaf/quality/quality_report.h"

#include <functional>

namespace sheaf::pull {

/// Parameters that the sections of one pull share.
struct CollectionsTask {
  store::PageStore& store;
  std::string site;  ///< its name in the store
  const site::Advertised& advertised;
  const OffersBySection& offers;
  const site::RobotsRules& rules;
  Downloads& downloads;
  CrossSubmissions& hosts;
  const PullOptions& options;
  SiteSigning& signing;
  store::Losses losses = store::Losses::accept;
  /// Called for each page of a collection that the rules of the format skip; may be empty.
  std::function<void(const quality::SkippedPage&)> on_skipped = {};
};

/// Brings one section up to date: plans, fetches and applies files, and plans again if a file is unusable.
/// Failures of the site are part of the report; an Error means that the store or the disk failed.
base::Result<PullSectionReport> pull_section(const CollectionsTask& task, const std::string& section);

}  // namespace sheaf::pull
