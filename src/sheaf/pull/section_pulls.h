#pragma once

#include "sheaf/pull/collection_sync.h"

#include <string>
#include <string_view>
#include <vector>

// The sections of a site that are pulled from collections.
namespace sheaf::pull {

/// The report of a section; null if it was not pulled.
PullSectionReport* find_section_report(PullReport& report, std::string_view section);

/// Pulls sections so that a page that moves from one to another is never missing: first everything that loses
/// no page, then, once all sections have arrived, the new pages of the rest, and last the removals. The
/// shrink guard may still hold some of these back.
base::Result<void> pull_together(CollectionsTask task, const std::vector<std::string>& sections);

/// If section `all` cannot be used, tries the other sections of the site, which may have its pages.
base::Result<void> cover_whole_site(const CollectionsTask& task);

}  // namespace sheaf::pull
