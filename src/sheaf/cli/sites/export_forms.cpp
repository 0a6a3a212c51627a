#include "sheaf/cli/sites/export_forms.h"

#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/export/parquet_export.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>

namespace sheaf::cli {

void add_chunk_options(const Command& command, exporting::ChunkRules& rules) {
  command.option("--max-chars", rules.max_chars, "maximum characters of a chunk; default: 2000")
      .within(std::uint64_t{100}, std::uint64_t{1'000'000})
      .value_name("N");
  command
      .option(
          "--overlap", rules.overlap,
          "characters of the previous chunk that each chunk repeats, at most half of --max-chars; default: 0")
      .within(std::uint64_t{0}, std::uint64_t{500'000})
      .value_name("N");
}

base::Result<void> check_chunk_rules(const exporting::ChunkRules& rules) {
  if (rules.overlap * 2 <= rules.max_chars) return {};
  return base::fail(base::Errc::invalid_argument, "--overlap must be at most half of --max-chars");
}

base::Result<void> check_printed() {
  if (std::ferror(stdout) == 0) return {};
  return base::fail(base::Errc::io, "standard output cannot be written; the state stays as it was");
}

namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::uint64_t kMinShard = std::uint64_t{1} << 20U;

exporting::ParquetOptions library_options(const ParquetArguments& arguments) {
  exporting::ParquetOptions options;
  if (arguments.shard_size) options.shards.shard_bytes = *arguments.shard_size;
  if (arguments.level) options.shards.level = *arguments.level;
  options.shards.columns.json = arguments.raw_json;
  options.after = arguments.after;
  if (arguments.layout == "huggingface") options.layout = exporting::FolderLayout::huggingface;
  return options;
}

void print_report(const exporting::ParquetSummary& summary, const ParquetArguments& arguments,
                  const std::string& output) {
  if (arguments.json) {
    JsonOutput out;
    out.begin_report()
        .number("pages", summary.pages.pages)
        .number("removed", summary.pages.removed)
        .number("duplicates", summary.pages.duplicates)
        .number("files", summary.files.size())
        .number("unchangedFiles", summary.untouched)
        .number("deletedFiles", summary.deleted)
        .number("bytes", summary.bytes)
        .number("textBytes", summary.counts.text_bytes)
        .number("words", summary.counts.words)
        .raw("cursor", summary.cursor.json());
    out.end_object();
    print_json_line(out.text());
    return;
  }
  print_text("wrote {}: {}, {} in {}\n", printable(output, Lines::join),
             counted(summary.pages.pages, "page", "pages"), human_size(summary.bytes),
             counted(summary.files.size(), "file", "files"));
  if (summary.untouched > 0 || summary.deleted > 0)
    print_text("of these {} unchanged; {} deleted\n", counted(summary.untouched, "file is", "files are"),
               counted(summary.deleted, "old file", "old files"));
  if (arguments.after)
    print_text("{} removed; continue with --after {}\n", counted(summary.pages.removed, "page", "pages"),
               summary.cursor.text());
  if (summary.pages.duplicates > 0)
    print_text("skipped {}: another section has a newer version\n",
               counted(summary.pages.duplicates, "page", "pages"));
}

}  // namespace

void add_parquet_options(const Command& command, ParquetArguments& arguments) {
  command
      .option("--shard-size", arguments.shard_size,
              "approximate maximum size of a Parquet file, e.g. 64MiB; at least 1MiB; default: 256MiB")
      .size()
      .value_name("SIZE");
  command
      .option("--layout", arguments.layout,
              "huggingface writes Parquet files to data/ and adds a dataset card")
      .one_of({"plain", "huggingface"});
  command.flag("--raw-json", arguments.raw_json,
               "add a column json to Parquet files, with each page as stored");
}

Result<void> export_to_parquet(const store::PageStore& store, const ExportOptions& library,
                               const ParquetArguments& arguments, const std::string& output) {
  if (output.empty() || output == "-")
    return fail(Errc::invalid_argument,
                "Parquet files go to a folder: name one with -o, or a file that ends in .parquet");
  if (arguments.shard_size && *arguments.shard_size < kMinShard)
    return fail(Errc::invalid_argument, "--shard-size must be at least 1MiB");
  const bool one_file =
      lower_file_name(output).ends_with(".parquet") && !std::filesystem::is_directory(output);
  if (one_file && (arguments.shard_size || arguments.layout == "huggingface"))
    return fail(Errc::invalid_argument,
                fmt::format("--shard-size and --layout need a folder, and {} is one file", output));
  const exporting::ParquetOptions options = library_options(arguments);
  SHEAF_TRY_ASSIGN(const auto summary, one_file
                                           ? exporting::export_parquet_file(store, library, options, output)
                                           : exporting::export_parquet(store, library, options, output));
  print_report(summary, arguments, output);
  return {};
}

}  // namespace sheaf::cli
