#include "sheaf/api/store_inside.h"
#include "sheaf/export/exporter.h"
#include "sheaf/export/parquet_export.h"
#include "sheaf/export/warc_export.h"
#include "sheaf/markdown/page_markdown.h"
#include <sheaf/export.h>

#include <utility>

namespace sheaf {

Result<ExportSummary> export_lines(const Store& store, const ExportOptions& options, const ExportSink& sink) {
  return exporting::export_lines(StoreInside::pages(store), options, sink);
}

Result<ExportSummary> export_changes(const Store& store, const ExportOptions& options,
                                     const FeedCursor& after, const ExportSink& sink) {
  return exporting::export_changes(StoreInside::pages(store), options, after, sink);
}

Result<ExportSummary> export_markdown(const Store& store, const ExportOptions& options,
                                      const std::filesystem::path& folder) {
  return exporting::export_files(StoreInside::pages(store), options, page_markdown, folder, ".md");
}

Result<WriteSummary> export_collection(const Store& store, const ExportOptions& options,
                                       std::vector<WriterTarget> targets) {
  return exporting::export_collection(StoreInside::pages(store), options, std::move(targets));
}

Result<ExportSummary> export_parquet(const Store& store, const ExportOptions& options,
                                     const std::filesystem::path& file) {
  SHEAF_TRY_ASSIGN(auto summary,
                   exporting::export_parquet_file(StoreInside::pages(store), options, {}, file));
  return std::move(summary.pages);
}

Result<ExportSummary> export_warc(const Store& store, const ExportOptions& options, const ExportSink& sink) {
  return exporting::export_warc(StoreInside::pages(store), options, "sheaf", warc::RecordCoding::gzip, sink);
}

}  // namespace sheaf
