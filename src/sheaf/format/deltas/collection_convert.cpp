#include "sheaf/format/deltas/collection_convert.h"

#include "sheaf/base/url_set.h"
#include "sheaf/format/deltas/collection_pass.h"
#include "sheaf/format/deltas/result_writer.h"

#include <utility>

namespace sheaf::format {
namespace {

using base::Result;

/// Converts in one pass. Returns nullopt if a URL occurs twice: which page counts is known only at the end,
/// so two passes are needed.
Result<std::optional<ConvertSummary>> convert_in_one_pass(const SourceOpener& input,
                                                          const std::vector<WriterTarget>& targets,
                                                          const ConvertOptions& options) {
  SHEAF_TRY_ASSIGN(auto source, input());
  const std::string name = source->name();
  ConvertSummary summary;
  auto opened = CollectionReader::open(
      std::move(source), {options.limits, Detail::everything, options.threads, HeadRule::required},
      [&](const Finding&) { ++summary.findings; });
  if (!opened) return std::unexpected(to_error(name, opened.error()));
  std::optional<CollectionReader> reader(std::move(*opened));
  model::CollectionHead head = reader->head();
  if (head.type == model::CollectionType::snapshot) head.state.reset();
  SHEAF_TRY_ASSIGN(auto writer,
                   ResultWriter::create(std::move(head), targets, options.temporary_folder, options));
  std::optional<base::UrlSet> urls(std::in_place);
  while (true) {
    const auto more = reader->next();
    if (!more) return std::unexpected(to_error(name, more.error()));
    if (!*more) break;
    if (!urls->insert(reader->page().url)) return std::nullopt;
    SHEAF_TRY(writer.add(reader->page()));
    if (options.progress && urls->size() % 256 == 0)
      options.progress(reader->statistics().compressed_bytes, urls->size());
  }
  summary.skipped = reader->statistics().skipped;
  summary.without_content = writer.without_content();
  // Free their memory for the compressor.
  reader.reset();
  urls.reset();
  SHEAF_TRY_ASSIGN(summary.written, writer.finish());
  return summary;
}

}  // namespace

Result<ConvertSummary> convert_collection(const SourceOpener& input, std::vector<WriterTarget> targets,
                                          const ConvertOptions& options) {
  SHEAF_TRY_ASSIGN(auto converted, convert_in_one_pass(input, targets, options));
  if (converted) return std::move(*converted);
  ConvertSummary summary;
  ConvertOptions counting = options;
  counting.findings = [&](const Finding& finding) {
    ++summary.findings;
    if (level_of(finding.code) == Level::page) ++summary.skipped;
  };
  SHEAF_TRY_ASSIGN(auto merged, merge_collections(input, {}, std::move(targets), counting));
  summary.duplicates = merged.duplicates;
  summary.without_content = merged.without_content;
  summary.written = std::move(merged.written);
  return summary;
}

}  // namespace sheaf::format
