#include "sheaf/cli/sites/quality_output.h"

#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::cli {

base::Result<void> ReportFile::open(const std::string& path) {
  if (path.empty()) return {};
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(path));
  file_.emplace(std::move(file));
  return {};
}

base::Result<void> ReportFile::add(const quality::QualityReport& report, std::string_view site) {
  if (!file_) return {};
  SHEAF_TRY(report.write(site, [this](std::string_view piece) { return file_->write(piece); }));
  return file_->write("\n");
}

base::Result<void> ReportFile::commit() { return file_ ? file_->commit() : base::Result<void>(); }

std::string describe_quality(const quality::QualitySummary& summary, std::string_view hint) {
  if (!summary.has_findings()) return {};
  return fmt::format("  quality: {}{}\n", fmt::join(quality::describe(summary), "; "), hint);
}

base::Result<void> print_with_quality(std::string_view json, const quality::QualityReport& report,
                                      std::string_view site) {
  json.remove_suffix(1);  // the closing brace
  write_json(json);
  write_json(",\"quality\":");
  SHEAF_TRY(report.write(site, [](std::string_view piece) -> base::Result<void> {
    write_json(piece);
    return {};
  }));
  write_json("}\n");
  return {};
}

}  // namespace sheaf::cli
