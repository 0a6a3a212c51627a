#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/publish/section_run.h"
#include "sheaf/trust/key_history.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::publish {

/// What a caller may see of a run besides its report.
struct PublishWatch {
  /// Records every page and every skipped item, if not null. The caller finishes and writes the report, also
  /// after an error. With `read_all` unchanged pages are read too, so that the report is complete.
  quality::QualityReport* quality = nullptr;
  bool read_all = false;
  /// Called for every item of the sources after it was judged; `kept` says whether its page is part of a
  /// section. An error ends the run.
  std::function<base::Result<void>(const PreparedItem& item, bool kept)> on_item = {};
};

/// Brings the collections and the sitemap of a site up to date with its sources.
///
/// Clients see a consistent state at every moment: collections are written first, then the sitemap that lists
/// them, then old files are deleted, and finally the catalog is committed. The next run undoes or completes
/// an interrupted one.
base::Result<PublishReport> publish(const PublishConfig& config, const PublishOptions& options,
                                    const PublishWatch& watch = {});

}  // namespace sheaf::publish
