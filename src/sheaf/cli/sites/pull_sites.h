#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/cli/sites/pull_job.h"
#include "sheaf/cli/sites/site_list_file.h"
#include "sheaf/pull/warc_import.h"
#include "sheaf/store/shared_stores.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sheaf::cli {

/// Whether this is a worker of a shared store, which pulls the sites that are listed there.
bool is_worker(const PullCommandOptions& options);

/// Returns the sites that the options name, each once. Fails if there is none, unless pages come from WARC
/// files. Returns an empty list for a worker: its --list may be long, and is put into the store.
base::Result<std::vector<base::Url>> choose_sites(const PullCommandOptions& options);

/// Converts the sites to rows of the list of a shared store. `sites` must outlive the result.
store::shared::SiteSource listed_from(SortedSites& sites);

/// Returns the hosts of --also-host. Fails if there is more than one site, because each of them could then
/// supply pages of these hosts.
base::Result<std::vector<std::string>> choose_also_hosts(const PullCommandOptions& options,
                                                         std::size_t sites);

/// Fails if an option does not make sense together with --from-warc.
base::Result<void> check_warc_options(const PullCommandOptions& options);

/// `sheaf pull --from-warc`: imports the files and prints a summary. `on_report` prints the report of each
/// site.
base::Result<pull::WarcImportResult> import_warc_files(
    store::PageStore& store, const PullCommandOptions& options, const pull::SitePullOptions& pull,
    const std::vector<base::Url>& sites, const std::function<void(const pull::PullReport&)>& on_report);

}  // namespace sheaf::cli
