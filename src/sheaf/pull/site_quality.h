#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/format/limits.h"
#include "sheaf/quality/quality_report.h"
#include "sheaf/store/page_store.h"

#include <string>
#include <string_view>

namespace sheaf::pull {

/// Why a URL has no page in the store, as a code for reports: "noindex", "missing", ... (docs/pulling.md).
std::string_view skip_reason(crawl::PageOutcome fate);

/// Adds the stored pages of a site to the report: every page of every section, and every URL of its crawls
/// that is not a page, with the reason. Reads all pages, so that unchanged ones are in the report too.
base::Result<void> report_stored_pages(const store::PageStore& store, const std::string& site,
                                       const format::Limits& limits, quality::QualityReport& report);

}  // namespace sheaf::pull
