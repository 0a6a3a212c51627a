#include "sheaf/api/store_inside.h"
#include "sheaf/export/exporter.h"
#include "sheaf/markdown/page_markdown.h"
#include <sheaf/export.h>

#include <utility>

namespace sheaf {
namespace {

exporting::Options export_options(const ExportFilter& filter) {
  exporting::Options options;
  options.filter = {filter.site, filter.section, filter.since, filter.until, filter.url, filter.language};
  options.limit = filter.limit;
  return options;
}

Result<ExportSummary> export_summary(const Result<exporting::Summary>& summary) {
  if (!summary) return std::unexpected(summary.error());
  return ExportSummary{summary->pages, summary->bytes, summary->duplicates, summary->removed,
                       summary->cursor.text()};
}

}  // namespace

Result<ExportSummary> export_lines(const Store& store, const ExportFilter& filter, const ExportSink& sink) {
  return export_summary(exporting::export_lines(StoreInside::pages(store), export_options(filter), sink));
}

Result<ExportSummary> export_changes(const Store& store, const ExportFilter& filter, std::string_view after,
                                     const ExportSink& sink) {
  SHEAF_TRY_ASSIGN(const auto cursor, store::FeedCursor::parse(after));
  return export_summary(
      exporting::export_changes(StoreInside::pages(store), export_options(filter), cursor, sink));
}

Result<ExportSummary> export_markdown(const Store& store, const ExportFilter& filter,
                                      const std::filesystem::path& folder) {
  return export_summary(exporting::export_files(StoreInside::pages(store), export_options(filter),
                                                page_markdown, folder, ".md"));
}

Result<WriteSummary> export_collection(const Store& store, const ExportFilter& filter,
                                       std::vector<WriterTarget> targets) {
  return exporting::export_collection(StoreInside::pages(store), export_options(filter), std::move(targets));
}

}  // namespace sheaf
