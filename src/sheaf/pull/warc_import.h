#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/crawl/warc_pages.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/page_store.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sheaf::pull {

struct WarcImportTask {
  store::PageStore& store;
  std::vector<std::string> files;        ///< "-" is standard input
  std::vector<base::Url> sites = {};     ///< import only pages of these sites; empty: of all sites
  std::filesystem::path temporary = {};  ///< folder with room for the pages of all files
  const SitePullOptions& options;        ///< limits, threads, links, clock, progress, cancelled, on_quality
  std::function<void(const PullReport& report)> on_report = {};    ///< called for each site when it is done
  std::function<void(const std::string& sentence)> on_fault = {};  ///< called for each damaged place
};

struct WarcImportResult {
  crawl::WarcCounts counts;
  std::uint64_t sites = 0;
  bool complete = true;  ///< false if it was cancelled
};

/// Imports the pages of WARC files as if they had been crawled when they were archived. The same rules as in
/// a crawl decide which of them are pages, and they are stored in the section of crawled pages, so the next
/// pull only requests what has changed since. A page that is no newer than the copy changes nothing, so a
/// file can be imported twice, and files in any order. Fails with errors of the store and the disk, if a file
/// cannot be opened, and if none has a record.
base::Result<WarcImportResult> import_warc(const WarcImportTask& task);

}  // namespace sheaf::pull
