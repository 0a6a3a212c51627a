#pragma once

#include "sheaf/base/component.h"
#include "sheaf/base/error.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/format/deltas/collection_delta.h"

#include <optional>
#include <string>
#include <string_view>

// The program has the commands that work with files, which need only libscp. The other commands are in parts
// that are loaded when a command needs them, so that `sheaf validate` starts quickly. The functions below are
// what the parts offer; in a program that is linked as a whole they are not null.
namespace sheaf::cli {

inline constexpr base::Component kSitesPart{"libsheaf_commands.so", "sheaf", "sheaf_cli_sites",
                                            "this command"};
inline constexpr base::Component kBrowsePart{"libsheaf_browse.so", "sheaf-browse", "sheaf_cli_browse",
                                             "this command"};
inline constexpr base::Component kDoctorPart{"libsheaf_doctor.so", "sheaf-doctor", "sheaf_cli_doctor",
                                             "this command"};

/// Adds a command to the program: see commands.h.
using AddCommand = void(const Command& program, Job& job);

void add_publish(const Command& program, Job& job);
void add_keys(const Command& program, Job& job);
void add_serve(const Command& program, Job& job);
void add_report(const Command& program, Job& job);
void add_pull(const Command& program, Job& job);
void add_identity(const Command& program, Job& job);
void add_list(const Command& program, Job& job);
void add_get(const Command& program, Job& job);
void add_export(const Command& program, Job& job);
void add_changes(const Command& program, Job& job);
void add_status(const Command& program, Job& job);
void add_verify(const Command& program, Job& job);
void add_store(const Command& program, Job& job);
void add_index(const Command& program, Job& job);
void add_grep(const Command& program, Job& job);
void add_search(const Command& program, Job& job);
void add_drop(const Command& program, Job& job);
void add_gc(const Command& program, Job& job);
void add_browse(const Command& program, Job& job);
void add_mcp(const Command& program, Job& job);
void add_doctor(const Command& program, Job& job);
void add_lab(const Command& program, Job& job);

}  // namespace sheaf::cli

// Not `extern "C"` in type only: their names must be found in a loaded library.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
#endif
extern "C" {
/// Returns null for a command that the part does not have.
[[gnu::weak]] sheaf::cli::AddCommand* sheaf_site_command(std::string_view name);
[[gnu::weak]] sheaf::cli::AddCommand* sheaf_browse_command(std::string_view name);
[[gnu::weak]] sheaf::cli::AddCommand* sheaf_doctor_command(std::string_view name);
/// Versions of the libraries of a part, for --version.
[[gnu::weak]] std::string sheaf_site_versions();
/// Converts a collection to one Parquet file. The summary names the file.
[[gnu::weak]] sheaf::base::Result<sheaf::format::ConvertSummary> sheaf_convert_to_parquet(
    const sheaf::format::SourceOpener& input, const std::string& output, const std::optional<int>& level,
    const sheaf::format::ConvertOptions& options);
/// `inspect --web`.
[[gnu::weak]] sheaf::base::Result<void> sheaf_inspect_in_browser(const std::string& file);
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
