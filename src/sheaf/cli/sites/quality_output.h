#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/quality/quality_report.h"

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::cli {

/// The file of --report: one JSON object per line. It is created before the work begins, so that a wrong path
/// is reported at once, and gets its name when it is complete.
class ReportFile {
 public:
  /// If `path` is empty, nothing is written.
  base::Result<void> open(const std::string& path);

  [[nodiscard]] bool is_wanted() const { return file_.has_value(); }
  /// Adds a line with a report, which must be finished.
  base::Result<void> add(const quality::QualityReport& report, std::string_view site);
  base::Result<void> commit();

 private:
  std::optional<base::AtomicFile> file_;
};

/// Returns the findings in one line that ends with `hint`; empty if there are none.
std::string describe_quality(const quality::QualitySummary& summary, std::string_view hint);

/// Prints a JSON object with the report as its last member, `quality`.
base::Result<void> print_with_quality(std::string_view json, const quality::QualityReport& report,
                                      std::string_view site);

}  // namespace sheaf::cli
