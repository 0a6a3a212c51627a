#pragma once

#include "sheaf/base/url.h"
#include "sheaf/pull/cross_submission.h"
#include "sheaf/pull/discover.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/pull/pull.h"
#include "sheaf/pull/site_signing.h"
#include "sheaf/quality/quality_report.h"
#include "sheaf/store/page_store.h"

#include <functional>
#include <string>

namespace sheaf::pull {

/// What the steps of one pull share: the site, how it is fetched and stored, and the report that they add to.
struct SiteContext {
  store::PageStore& store;
  std::string name;  ///< of the site in the store
  const base::Url& address;
  const RobotsResponse& robots;
  const SitePullOptions& options;
  Downloads& downloads;
  CrossSubmissions& hosts;
  SiteSigning& signing;
  store::SectionEdit& closing;      ///< notes for the last commit of the pull
  quality::QualityReport* quality;  ///< null if no report is requested
  /// Called for each page of a collection that the rules of the format skip; may be empty.
  std::function<void(const quality::SkippedPage&)> on_skipped;
  PullReport& report;

  [[nodiscard]] bool is_cancelled() const { return options.cancelled && options.cancelled(); }
  /// If the site signs its collections, unsigned pages are not accepted.
  [[nodiscard]] bool must_be_signed() const { return signing.is_signed() || signing.is_required(); }
};

}  // namespace sheaf::pull
