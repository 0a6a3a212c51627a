#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/cli/commands/pull_job.h"
#include "sheaf/cli/options/site_list_file.h"
#include "sheaf/store/shared/site_table.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sheaf::cli {

/// Whether this is a worker of a shared store, which pulls the sites that are listed there.
bool is_worker(const PullCommandOptions& options);

/// The sites that the options name, each once. An error where there is none, unless pages come from WARC
/// files. None for a worker: its list may be long, and is put into the store.
base::Result<std::vector<base::Url>> choose_sites(const PullCommandOptions& options);

/// The same sites as rows of the list of a shared store. `sites` must outlive it.
store::shared::SiteSource listed_from(SortedSites& sites);

/// The hosts of --also-host. Only with a single site: with several, each of them could supply pages of the
/// other hosts.
base::Result<std::vector<std::string>> choose_also_hosts(const PullCommandOptions& options,
                                                         std::size_t sites);

}  // namespace sheaf::cli
