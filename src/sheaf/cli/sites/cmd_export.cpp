#include "sheaf/base/ascii.h"
#include "sheaf/base/file.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/page_text.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/export_forms.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/export/chunk_export.h"
#include "sheaf/export/exporter.h"
#include "sheaf/export/warc_export.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/markdown/page_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace sheaf::cli {
namespace {

using base::Errc;
using base::fail;
using base::Result;

struct ExportCommandOptions {
  std::string store;
  SelectionOptions selection;
  std::string form;
  std::string output;
  std::optional<int> level;
  std::string after_text;
  std::optional<store::FeedCursor> after;
  ParquetArguments parquet;
  exporting::ChunkRules chunks;
  bool json = false;
  unsigned threads = 0;

  [[nodiscard]] bool to_standard_output() const { return output.empty() || output == "-"; }
};

Result<void> print_lines(std::string_view json) {
  write_json(json);
  return {};
}

Result<void> print_pages(std::string_view text) {
  write_text(stdout, text);
  return {};
}

/// Files get the same safe text as a terminal, because sooner or later they are shown on one.
std::string as_markdown(const Page& page) { return printable(markdown::page_markdown(page), Lines::keep); }

Result<ExportSummary> lines(const store::PageStore& store, const ExportOptions& library,
                            const ExportCommandOptions& options, const ExportSink& sink) {
  if (options.form == "chunks") return exporting::export_chunks(store, library, options.chunks, sink);
  return options.after ? exporting::export_changes(store, library, *options.after, sink)
                       : exporting::export_lines(store, library, sink);
}

/// Writes lines to a file that appears complete or not at all, compressed according to its name.
Result<ExportSummary> export_lines_to_file(const store::PageStore& store, const ExportOptions& library,
                                           const ExportCommandOptions& options) {
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(options.output));
  const auto codec = format::codec_for_path(lower_file_name(options.output)).value_or(format::Codec::plain);
  const int level = options.level.value_or(format::default_level(codec));
  const auto encoder = format::make_encoder(codec, level, library.threads);
  std::string compressed;
  std::string visible;
  const auto write = [&](std::string_view bytes, format::Flush flush) -> Result<void> {
    compressed.clear();
    SHEAF_TRY(encoder->encode(bytes, flush, compressed));
    return file.write(compressed);
  };
  SHEAF_TRY_ASSIGN(ExportSummary summary, lines(store, library, options, [&](std::string_view bytes) {
                     visible.clear();
                     format::append_visible_json(visible, bytes);
                     return write(visible, format::Flush::more);
                   }));
  SHEAF_TRY(write("", format::Flush::end));
  SHEAF_TRY(file.commit());
  return summary;
}

void report(const ExportCommandOptions& options, const ExportSummary& summary) {
  if (options.json) {
    JsonOutput out;
    out.begin_report()
        .number("pages", summary.pages)
        .number("bytes", summary.bytes)
        .number("duplicates", summary.duplicates);
    if (options.after) out.number("removed", summary.removed).raw("cursor", summary.cursor.json());
    out.end_object();
    print_json_line(out.text());
    return;
  }
  print_text("wrote {}: {}, {} as JSON\n", printable(options.output, Lines::join),
             counted(summary.pages, "page", "pages"), human_size(summary.bytes));
  if (options.after)
    print_text("{} removed; continue with --after {}\n", counted(summary.removed, "page", "pages"),
               summary.cursor.text());
  if (summary.duplicates > 0)
    print_text("skipped {}: another section has a newer version\n",
               counted(summary.duplicates, "page", "pages"));
}

Result<void> export_collection(const store::PageStore& store, const ExportOptions& library,
                               const ExportCommandOptions& options) {
  if (options.to_standard_output())
    return fail(Errc::invalid_argument,
                "a collection is written to a file: name one that ends in .scp, .scp.gz or .scp.zst with -o");
  SHEAF_TRY_ASSIGN(auto target, target_for(options.output, options.level));
  SHEAF_TRY_ASSIGN(const auto written, exporting::export_collection(store, library, {std::move(target)}));
  if (!options.json) {
    print_text("{}", describe_written(written));
    return {};
  }
  JsonOutput out;
  out.begin_report();
  write_summary(out, written);
  out.end_object();
  print_json_line(out.text());
  return {};
}

/// WARC files are compressed record by record, not as one stream.
Result<void> export_to_warc(const store::PageStore& store, const ExportOptions& library,
                            const ExportCommandOptions& options) {
  if (options.to_standard_output())
    return fail(Errc::invalid_argument,
                "WARC records go to a file: name one that ends in .warc or .warc.gz with -o");
  const bool is_gzip = lower_file_name(options.output).ends_with(".gz");
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(options.output));
  SHEAF_TRY_ASSIGN(const ExportSummary summary,
                   exporting::export_warc(store, library, "sheaf/" SHEAF_VERSION,
                                          is_gzip ? warc::RecordCoding::gzip : warc::RecordCoding::plain,
                                          [&](std::string_view bytes) { return file.write(bytes); }));
  SHEAF_TRY(file.commit());
  report(options, summary);
  return {};
}

Result<void> export_pages(const store::PageStore& store, const ExportOptions& library,
                          const ExportCommandOptions& options) {
  const bool as_lines = options.form == "jsonl" || options.form == "chunks";
  const exporting::Renderer render = options.form == "text" ? page_text : as_markdown;
  if (options.to_standard_output()) {
    SHEAF_TRY(as_lines ? lines(store, library, options, print_lines)
                       : exporting::export_text(store, library, render, print_pages));
    return {};
  }
  SHEAF_TRY_ASSIGN(const ExportSummary summary,
                   as_lines ? export_lines_to_file(store, library, options)
                            : exporting::export_files(store, library, render, options.output,
                                                      options.form == "text" ? ".txt" : ".md"));
  report(options, summary);
  return {};
}

/// Prints the result of --count.
Result<void> print_number(const store::PageStore& store, const ExportOptions& library,
                          const ExportCommandOptions& options) {
  const auto ignore = [](std::string_view) -> Result<void> { return {}; };
  SHEAF_TRY_ASSIGN(const ExportSummary summary,
                   options.after ? exporting::export_changes(store, library, *options.after, ignore)
                                 : exporting::count_pages(store, library));
  print_count(summary.pages + summary.removed, options.json);
  return {};
}

Result<void> export_in_format(const store::PageStore& store, const ExportOptions& library,
                              const ExportCommandOptions& options) {
  if (options.form == "scp") return export_collection(store, library, options);
  if (options.form == "warc") return export_to_warc(store, library, options);
  if (options.form != "parquet") return export_pages(store, library, options);
  ParquetArguments arguments = options.parquet;
  arguments.after = options.after;
  arguments.level = options.level;
  arguments.json = options.json;
  return export_to_parquet(store, library, arguments, options.output);
}

struct FormatNames {
  std::string_view format;
  std::vector<std::string_view> extensions;
};

/// The formats that are written to one file.
const std::vector<FormatNames>& format_names() {
  static const std::vector<FormatNames> kNames = {
      {"jsonl", {".jsonl", ".json", ".jsonl.gz", ".json.gz", ".jsonl.zst", ".json.zst"}},
      {"scp", {".scp", ".scp.gz", ".scp.zst"}},
      {"warc", {".warc", ".warc.gz"}},
      {"parquet", {".parquet"}},
  };
  return kNames;
}

bool has_extension(std::string_view name, const FormatNames& names) {
  return std::ranges::any_of(names.extensions, [&](std::string_view end) { return name.ends_with(end); });
}

/// Whether a name says nothing but how to compress.
bool has_no_extension(const std::string& output) {
  std::filesystem::path name = lower_file_name(output);
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  return !name.has_extension();
}

/// Returns the format that the name of the output implies.
Result<std::string> format_for(const ExportCommandOptions& options) {
  if (options.to_standard_output() || has_no_extension(options.output)) return "jsonl";
  const std::string name = lower_file_name(options.output);
  std::string known;
  for (const FormatNames& names : format_names()) {
    if (has_extension(name, names)) return std::string(names.format);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", fmt::join(names.extensions, ", "));
  }
  return fail(Errc::invalid_argument,
              fmt::format("the extension of {} is not known: use {}, or none for JSON "
                          "Lines",
                          options.output, known));
}

/// Fails if the name of a file has the extension of another format, or one that is not known.
Result<void> check_extension(const ExportCommandOptions& options) {
  const std::string_view form = options.form == "chunks" ? std::string_view("jsonl") : options.form;
  const auto names = std::ranges::find(format_names(), form, &FormatNames::format);
  // Markdown, text and most Parquet files are written to a folder, whose name does not matter.
  if (names == format_names().end() || form == "parquet" || options.to_standard_output()) return {};
  if (has_extension(lower_file_name(options.output), *names)) return {};
  if (form == "jsonl" && has_no_extension(options.output)) return {};
  return fail(
      Errc::invalid_argument,
      fmt::format("{}: with --format {} the name must end in {}{}", options.output, options.form,
                  fmt::join(names->extensions, ", "), form == "jsonl" ? ", or have no extension" : ""));
}

/// A number given to --since is a change of the feed, as in `sheaf changes --since`, and not a time.
Result<void> take_cursor(ExportCommandOptions& options) {
  if (!options.after_text.empty()) {
    SHEAF_TRY_ASSIGN(options.after, store::FeedCursor::parse(options.after_text));
  }
  std::string& since = options.selection.since;
  if (since.empty() || !std::ranges::all_of(since, base::is_digit)) return {};
  if (options.after)
    return fail(Errc::invalid_argument, "--since N and --after N mean the same: give one of them");
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(since.data(), since.data() + since.size(), number);
  if (error != std::errc())
    return fail(Errc::invalid_argument, fmt::format("--since {} is too large", since));
  options.after = number;
  since.clear();
  return {};
}

Result<void> export_store(const ExportCommandOptions& options) {
  if (options.after && options.form != "jsonl" && options.form != "parquet")
    return fail(Errc::invalid_argument,
                "--after exports changes and removals: use it with --format jsonl or parquet");
  if (options.form != "parquet" && options.parquet.is_given())
    return fail(Errc::invalid_argument, "--shard-size, --layout and --raw-json are for --format parquet");
  SHEAF_TRY(check_chunk_rules(options.chunks));
  SHEAF_TRY_ASSIGN(const Selection selection, parse_selection(options.selection));
  SHEAF_TRY_ASSIGN(const auto opened, open_existing_store(options.store, StoreAccess::read));
  const store::PageStore& store = *opened;
  SHEAF_TRY(check_known(store, selection.site));
  Progress progress("export", std::nullopt);
  ExportOptions library;
  library.filter = {selection.site,  selection.section,     selection.since,
                    selection.until, options.selection.url, options.selection.language};
  library.limit = options.selection.limit;
  library.threads = options.threads;
  library.progress = [&](std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected) {
    progress.update(bytes, pages, expected);
  };
  std::uint64_t damaged = 0;
  library.on_damage = [&](const std::string& sentence) {
    progress.clear();
    print_message(sentence);
    ++damaged;
  };
  if (options.selection.count) return print_number(store, library, options);
  auto exported = export_in_format(store, library, options);
  progress.clear();
  if (exported && damaged > 0)
    return fail(Errc::invalid_data, fmt::format("the store is damaged: {} could not be exported; `sheaf "
                                                "pull` with the site's URL and --repair restores them",
                                                counted(damaged, "page", "pages")));
  return exported;
}

ExitStatus run(ExportCommandOptions options) {
  if (options.form.empty()) {
    auto form = format_for(options);
    if (!form) return report_failure(form.error());
    options.form = std::move(*form);
  }
  if (const auto checked = check_extension(options); !checked) return report_failure(checked.error());
  if (const auto taken = take_cursor(options); !taken) return report_failure(taken.error());
  const auto exported = export_store(options);
  return exported ? ExitStatus::yes : report_failure(exported.error());
}

}  // namespace

void add_export(const Command& program, Job& job) {
  auto options = std::make_shared<ExportCommandOptions>();
  const Command command = program.subcommand("export", "Write the pages of a store in other formats");
  add_store_option(command, options->store);
  command
      .option("--format", options->form,
              "output format: jsonl (one page per line), chunks (pieces of pages for retrieval), scp (a "
              "snapshot of "
              "one section), parquet, warc (texts as conversion records), markdown or text")
      .one_of({"jsonl", "chunks", "scp", "parquet", "warc", "markdown", "text"});
  command
      .option(
          "-o,--output", options->output,
          "file to write; for markdown and text a folder with one file per page, for parquet a folder or a "
          "file that ends in .parquet, for warc a file that ends in .warc or .warc.gz; the extension selects "
          "the format if --format is missing; default: standard output")
      .value_name("PATH");
  add_selection_options(command, options->selection);
  command
      .option(
          "--after", options->after_text,
          "only pages that changed or were removed after change N of `sheaf changes` (also --since N); jsonl "
          "and parquet only")
      .check(refuse_time)
      .value_name("N");
  command
      .option("--level", options->level, "compression level; default: 6 for .gz, 9 for .zst, 5 for parquet")
      .within(1, 19);
  add_thread_option(command, options->threads, "threads that compress .gz, .zst and .scp files");
  add_parquet_options(command, options->parquet);
  add_chunk_options(command, options->chunks);
  command.flag("--json", options->json, "print a JSON report of what was written to a file or folder");
  command.footer(
      "Example: sheaf export --store crawl --site example.com --section blog -o blog.scp.zst\n"
      "         sheaf export --store crawl --format markdown --lang en -o pages\n"
      "         sheaf export --store crawl --format parquet -o dataset\n"
      "Exit status: 0 written, 1 the store is damaged, 2 reading or writing failed.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
