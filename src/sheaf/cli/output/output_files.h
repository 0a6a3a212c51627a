#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/quality/quality_report.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {

/// Returns the name of a file, without its folders, in lower case, to compare its extension.
std::string lower_file_name(const std::string& path);

/// Returns the target for an output file. The extension selects the codec and must be a known one.
base::Result<format::WriterTarget> target_for(const std::string& path, const std::optional<int>& level);

/// Fails if standard input ("-") is named more than once.
base::Result<void> check_standard_input(const std::vector<std::string>& inputs);

/// Returns the total size of these files; nullopt if one of them is not a regular file.
std::optional<std::uint64_t> size_of_files(const std::vector<std::string>& paths);

/// Prints the error on standard error and returns the exit status: 1 for wrong or refused input, 2 otherwise.
ExitStatus report_failure(const base::Error& error);

/// Describes each file in a line: "wrote blog.scp.zst: 53 pages, 1.2 MiB (2.4:1)".
std::string describe_written(const format::WriteSummary& summary);

/// Prints on standard error how pages were repaired. After the first few, only their number.
class RepairMessages {
 public:
  void add(std::string_view url, std::string_view repair);
  /// Prints the number of those not printed.
  void finish() const;

 private:
  std::uint64_t count_ = 0;
};

class JsonOutput;
/// Writes the members "collection", "pages", "plainBytes" and "files" for --json.
void write_summary(JsonOutput& out, const format::WriteSummary& summary);

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
