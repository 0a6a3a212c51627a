#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/format/deltas/collection_delta.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

struct ConvertCommandOptions {
  std::string input;
  std::vector<std::string> outputs;
  std::optional<int> level;
  format::ConvertOptions library;
  bool json = false;
};

/// Converts to one Parquet file, which has its own writer.
base::Result<format::ConvertSummary> convert_table(const ConvertCommandOptions& options) {
  const std::string& output = options.outputs.front();
  if (options.outputs.size() > 1)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("{}: a Parquet file is written alone; name one output", output));
  format::ConvertOptions library = options.library;
  if (library.temporary_folder.empty())
    library.temporary_folder = std::filesystem::path(output).parent_path();
  SHEAF_TRY_ASSIGN(const auto input,
                   format::reopenable_source(options.input, library.temporary_folder, library.limits));
  Progress progress("convert", size_of_files({options.input}));
  library.progress = [&](std::uint64_t bytes, std::uint64_t pages) { progress.update(bytes, pages); };
  SHEAF_TRY_ASSIGN(auto* const convert,
                   base::find_component(sheaf_convert_to_parquet, kSitesPart, "sheaf_convert_to_parquet"));
  return convert(input, output, options.level, library);
}

bool is_parquet(const std::string& path) { return lower_file_name(path).ends_with(".parquet"); }

base::Result<format::ConvertSummary> convert(const ConvertCommandOptions& options) {
  if (std::ranges::any_of(options.outputs, is_parquet)) return convert_table(options);
  std::vector<format::WriterTarget> targets;
  for (const std::string& path : options.outputs) {
    SHEAF_TRY_ASSIGN(auto target, target_for(path, options.level));
    targets.push_back(std::move(target));
  }
  format::ConvertOptions library = options.library;
  library.temporary_folder = format::working_folder(library.temporary_folder, targets);
  SHEAF_TRY_ASSIGN(const auto input,
                   format::reopenable_source(options.input, library.temporary_folder, library.limits));
  Progress progress("convert", size_of_files({options.input}));
  library.progress = [&](std::uint64_t bytes, std::uint64_t pages) { progress.update(bytes, pages); };
  RepairMessages repairs;
  library.repaired = [&](std::string_view url, std::string_view repair) { repairs.add(url, repair); };
  auto summary = format::convert_collection(input, std::move(targets), library);
  repairs.finish();
  return summary;
}

ExitStatus run(const ConvertCommandOptions& options) {
  const auto summary = convert(options);
  if (!summary) return report_failure(summary.error());
  if (options.json) {
    JsonOutput out;
    out.begin_report()
        .number("skipped", summary->skipped)
        .number("duplicates", summary->duplicates)
        .number("withoutContent", summary->without_content)
        .number("findings", summary->findings);
    write_summary(out, summary->written);
    out.end_object();
    print_json_line(out.text());
    return ExitStatus::yes;
  }
  print_text("{}", describe_written(summary->written));
  if (summary->skipped > 0)
    print_text("skipped {}: not accepted by readers\n", counted(summary->skipped, "page", "pages"));
  if (summary->duplicates > 0)
    print_text("skipped {}: duplicate URLs\n", counted(summary->duplicates, "page", "pages"));
  if (summary->without_content > 0)
    print_text("left out {}: no content\n", counted(summary->without_content, "page", "pages"));
  if (summary->findings > 0)
    print_text("{} in the input; `sheaf validate` lists them\n",
               counted(summary->findings, "finding", "findings"));
  return ExitStatus::yes;
}

}  // namespace

void add_convert(const Command& program, Job& job) {
  auto options = std::make_shared<ConvertCommandOptions>();
  const Command command =
      program.subcommand("convert", "Rewrite a collection: another codec, canonical form, a checksum");
  command.option("IN", options->input, "a collection; - is standard input").required();
  command
      .option("OUT", options->outputs,
              "files to write; the extension selects the codec (.scp, .scp.gz, .scp.zst); or one .parquet")
      .required();
  command
      .option("--level", options->level,
              "compression level; default: 6 for gzip (1 to 9), 9 for zstd, 5 for parquet")
      .within(1, 19);
  command.flag("--json", options->json, "print the report as JSON");
  add_thread_option(command, options->library.threads, "threads to use");
  command
      .option("--temporary", options->library.temporary_folder,
              "folder for temporary files; default: the folder of the output")
      .value_name("DIR")
      .existing_folder();
  add_limit_options(command, options->library.limits);
  command.footer(
      "Example: sheaf convert blog.scp.gz blog.scp.zst\n"
      "         sheaf convert blog.scp.zst blog.parquet\n"
      "Exit status: 0 written, 1 the input is invalid, 2 reading or writing failed.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
