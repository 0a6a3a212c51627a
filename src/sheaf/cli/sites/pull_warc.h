#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/cli/sites/pull_job.h"
#include "sheaf/pull/warc_import.h"

#include <functional>
#include <string>
#include <vector>

namespace sheaf::cli {

/// Fails if an option does not make sense together with --from-warc.
base::Result<void> check_warc_options(const PullCommandOptions& options);

/// `sheaf pull --from-warc`: imports the files and prints a summary. `on_report` prints the report of each
/// site.
base::Result<pull::WarcImportResult> import_warc_files(
    store::PageStore& store, const PullCommandOptions& options, const pull::SitePullOptions& pull,
    const std::vector<base::Url>& sites, const std::function<void(const pull::PullReport&)>& on_report);

}  // namespace sheaf::cli
