#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/output/exit_status.h"
#include "sheaf/format/collections/collection_writer.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::cli {

/// The target of an output option: the codec comes from the extension, which must be one of ours.
base::Result<format::WriterTarget> target_for(const std::string& path, const std::optional<int>& level);

/// Fails where standard input ("-") is named more than once: it can be read only once.
base::Result<void> check_standard_input(const std::vector<std::string>& inputs);

/// The size of all these files together; nothing if one of them is not a plain file.
std::optional<std::uint64_t> size_of_files(const std::vector<std::string>& paths);

/// Says on standard error why a command failed, and how to exit: 1 for input that is wrong or refused, 2 for
/// the rest.
ExitStatus report_failure(const base::Error& error);

/// "wrote blog.scp.zst (1.2 MiB), 53 pages" for each file, and --json's {"written": [...], "pages": ...}
/// members.
std::string describe_written(const format::WriteSummary& summary);

class JsonOutput;
void write_summary(JsonOutput& out, const format::WriteSummary& summary);

}  // namespace sheaf::cli
