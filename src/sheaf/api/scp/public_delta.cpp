#include "sheaf/format/collections/validator.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/format/deltas/collection_pass.h"
#include <sheaf/delta.h>
#include <sheaf/validate.h>

#include <utility>

namespace sheaf {

Result<ValidationReport> validate(const std::filesystem::path& file, const ValidateOptions& options) {
  SHEAF_TRY_ASSIGN(auto source, base::open_source(file.string()));
  ValidationReport report = format::validate(std::move(source), options);
  if (report.is_unreadable()) return std::unexpected(format::to_error(report.file, *report.fatal));
  return report;
}

Result<DiffSummary> diff_collections(const std::filesystem::path& older, const std::filesystem::path& newer,
                                     std::vector<WriterTarget> targets, const DeltaOptions& options) {
  const auto folder = format::working_folder(options.temporary_folder, targets);
  SHEAF_TRY_ASSIGN(const auto from, format::reopenable_source(older.string(), folder, options.limits));
  SHEAF_TRY_ASSIGN(const auto to, format::reopenable_source(newer.string(), folder, options.limits));
  return format::diff_collections(from, to, std::move(targets), options);
}

Result<MergeSummary> merge_collections(const std::filesystem::path& first,
                                       const std::vector<std::filesystem::path>& deltas,
                                       std::vector<WriterTarget> targets, const DeltaOptions& options) {
  const auto folder = format::working_folder(options.temporary_folder, targets);
  SHEAF_TRY_ASSIGN(const auto start, format::reopenable_source(first.string(), folder, options.limits));
  std::vector<format::SourceOpener> others;
  for (const auto& delta : deltas) {
    SHEAF_TRY_ASSIGN(auto other, format::reopenable_source(delta.string(), folder, options.limits));
    others.push_back(std::move(other));
  }
  return format::merge_collections(start, others, std::move(targets), options);
}

Result<ConvertSummary> convert_collection(const std::filesystem::path& input,
                                          std::vector<WriterTarget> targets, const DeltaOptions& options) {
  const auto folder = format::working_folder(options.temporary_folder, targets);
  SHEAF_TRY_ASSIGN(const auto source, format::reopenable_source(input.string(), folder, options.limits));
  return format::convert_collection(source, std::move(targets), options);
}

}  // namespace sheaf
