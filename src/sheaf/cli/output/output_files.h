#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/output/exit_status.h"
#include "sheaf/format/collections/collection_writer.h"

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

}  // namespace sheaf::cli
