#pragma once

#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/store/page_store.h"
#include "sheaf/warc/warc_writer.h"

#include <string_view>

namespace sheaf::exporting {

/// Writes the texts of the selected pages as WARC conversion records (docs/warc.md): for each page its title,
/// an empty line and its text, as text/plain, like the WET files of Common Crawl. The date is when the store
/// received this version of the page, and the id is derived from the page. So an unchanged page has the same
/// record in every export.
base::Result<ExportSummary> export_warc(const store::PageStore& store, const ExportOptions& options,
                                        std::string_view software, warc::RecordCoding coding,
                                        const ExportSink& sink);

}  // namespace sheaf::exporting
