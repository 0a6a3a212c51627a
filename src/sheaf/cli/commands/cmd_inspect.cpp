#include "sheaf/base/byte_source.h"
#include "sheaf/base/wildcard.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/page_text.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/format/collections/collection_overview.h"
#include "sheaf/format/collections/collection_reader.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace sheaf::cli {
namespace {

using format::CollectionReader;

struct InspectOptions {
  std::string file;
  bool pages = false;
  bool content = false;
  bool json = false;
  bool allow_headerless = false;
  bool web = false;
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::string url;
  std::string since;
  format::Limits limits;

  [[nodiscard]] bool lists_pages() const { return pages || content || !url.empty() || !since.empty(); }
};

std::string safe(std::string_view text) { return printable(text, Lines::join); }

void print_page(CollectionReader& reader, const InspectOptions& options) {
  const Page& page = reader.page();
  if (options.json) {
    print_json_line(reader.raw());
    return;
  }
  print_text("{}\n  {}\n  modified {}, language {}, {}, {}\n", coloured(Colour::bold, safe(page.url)),
             safe(page.title), safe(page.modified), safe(page.language),
             counted(page.content.size(), "block", "blocks"), human_size(reader.raw().size()));
  if (options.content) print_text("\n{}\n", page_text(page));
}

void print_counts(std::string_view title, const format::NameCounts& counts) {
  std::string text;
  for (const auto& [name, count] : counts.most_first())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", safe(name), human_count(count));
  print_text("  {:<10} {}\n", title, text.empty() ? "none" : text);
}

void print_head(const CollectionReader& reader) {
  if (!reader.has_head()) {
    print_text("  no metadata line (draft 1)\n");
    return;
  }
  const auto& head = reader.head();
  print_text("  {:<10} {}\n  {:<10} {}\n  {:<10} {}\n  {:<10} {}\n", "id", safe(head.id), "section",
             safe(head.section), "type", model::to_string(head.type), "generated", safe(head.generated));
  if (head.since) print_text("  {:<10} {}\n", "since", safe(*head.since));
  print_text("  {:<10} {}\n", "version", safe(head.version));
  if (head.state) print_text("  {:<10} {}\n", "state", safe(*head.state));
  if (!head.removed.empty())
    print_text("  {:<10} {}\n", "removed", counted(head.removed.size(), "URL", "URLs"));
  if (head.checksum) print_text("  {:<10} {}\n", "checksum", safe(*head.checksum));
  for (const auto& [key, value] : head.extra) print_text("  {:<10} {}\n", safe(key), safe(value));
}

void print_overview(const CollectionReader& reader, const format::CollectionOverview& overview,
                    std::string_view name) {
  const auto statistics = reader.statistics();
  print_text("{}\n", coloured(Colour::bold, safe(name)));
  print_head(reader);
  print_text("  {:<10} {}, {} skipped; checksum {}\n", "pages", human_count(statistics.pages),
             human_count(statistics.skipped), format::to_string(reader.checksum()));
  if (overview.oldest)
    print_text("  {:<10} {} to {}\n", "modified", format_time(*overview.oldest),
               format_time(*overview.newest));
  print_text("  {:<10} {} {}, {} uncompressed\n", "file", human_size(statistics.compressed_bytes),
             format::to_string(statistics.codec), human_size(statistics.plain_bytes));
  print_text("  {:<10} smallest {}, half up to {}, 99% up to {}, largest {}, mean {}\n", "page size",
             human_size(overview.sizes.smallest()), human_size(overview.sizes.below(0.5)),
             human_size(overview.sizes.below(0.99)), human_size(overview.sizes.largest()),
             human_size(overview.sizes.mean()));
  print_counts("blocks", overview.blocks);
  print_counts("languages", overview.languages);
  if (overview.findings > 0)
    print_text("  {}; `sheaf validate` lists them\n", counted(overview.findings, "finding", "findings"));
}

void write_counts(format::JsonWriter& out, std::string_view key, const format::NameCounts& counts) {
  out.begin_object(key);
  for (const auto& [name, count] : counts.most_first()) out.number(name, count);
  out.end_object();
}

void print_overview_json(const CollectionReader& reader, const format::CollectionOverview& overview,
                         std::string_view name) {
  const auto statistics = reader.statistics();
  JsonOutput out;
  out.begin_report().string("file", name);
  write_head(out, reader.has_head() ? &reader.head() : nullptr);
  out.number("pages", statistics.pages)
      .number("skipped", statistics.skipped)
      .string("checksum", format::to_string(reader.checksum()))
      .string("codec", format::to_string(statistics.codec))
      .number("compressedBytes", statistics.compressed_bytes)
      .number("plainBytes", statistics.plain_bytes)
      .number("findings", overview.findings);
  if (overview.oldest)
    out.string("oldestModified", format_time(*overview.oldest))
        .string("newestModified", format_time(*overview.newest));
  out.begin_object("pageBytes")
      .number("smallest", overview.sizes.smallest())
      .number("halfUpTo", overview.sizes.below(0.5))
      .number("99PercentUpTo", overview.sizes.below(0.99))
      .number("largest", overview.sizes.largest())
      .number("mean", overview.sizes.mean())
      .end_object();
  write_counts(out, "blocks", overview.blocks);
  write_counts(out, "languages", overview.languages);
  out.end_object();
  print_json_line(out.text());
}

ExitStatus fail_with(std::string_view name, const format::Finding& finding) {
  const std::string line = finding.line > 0 ? fmt::format(" line {}:", finding.line) : std::string();
  print_message(
      finding.code == format::Code::read_failed
          ? finding.message
          : fmt::format("{}:{} {} ({})", name, line, finding.message, format::to_string(finding.code)));
  return finding.code == format::Code::read_failed ? ExitStatus::unknown : ExitStatus::no;
}

/// Finishes after the last page: prints the overview, or reports that no page matches.
ExitStatus end_with(const InspectOptions& options, const CollectionReader& reader,
                    const format::CollectionOverview& overview, std::string_view name, std::uint64_t shown) {
  if (options.lists_pages()) {
    if (shown > 0 || (options.url.empty() && options.since.empty())) return ExitStatus::yes;
    print_message(fmt::format("{}: no page matches", name));
    return ExitStatus::no;
  }
  if (options.json) {
    print_overview_json(reader, overview, name);
  } else {
    print_overview(reader, overview, name);
  }
  return ExitStatus::yes;
}

/// Shows the file in the web app's inspector, which is in another part of the program.
base::Result<void> show_in_browser(const std::string& file) {
  if (file == "-")
    return base::fail(base::Errc::invalid_argument, "--web needs the name of a file, not standard input");
  SHEAF_TRY_ASSIGN(auto* const inspect,
                   base::find_component(sheaf_inspect_in_browser, kBrowsePart, "sheaf_inspect_in_browser"));
  return inspect(file);
}

bool is_selected(const Page& page, const InspectOptions& options, const std::optional<Instant>& since) {
  return (!since || page.modified_at >= *since) &&
         (options.url.empty() || base::matches_wildcard(options.url, page.url));
}

ExitStatus run(const InspectOptions& options) {
  if (options.web) {
    const auto shown = show_in_browser(options.file);
    if (shown) return ExitStatus::yes;
    (void)report_failure(shown.error());
    return ExitStatus::unknown;
  }
  const auto since = parse_time_option("--since", options.since);
  if (!since) return report_failure(since.error());
  auto source = base::open_source(options.file);
  if (!source) return report_failure(source.error());
  const std::string name = (*source)->name();
  Progress progress(name, (*source)->size());
  format::CollectionOverview overview;
  const format::ReaderOptions reader_options{
      options.limits, options.content ? format::Detail::everything : format::Detail::checks, 2,
      options.allow_headerless ? format::HeadRule::optional : format::HeadRule::required};
  auto reader = CollectionReader::open(std::move(*source), reader_options,
                                       [&](const format::Finding&) { ++overview.findings; });
  if (!reader) return fail_with(name, reader.error());
  std::uint64_t shown = 0;
  while (shown < options.limit) {
    const auto more = reader->next();
    if (!more) {
      progress.clear();
      return fail_with(name, more.error());
    }
    if (!*more) break;
    if (!is_selected(reader->page(), options, *since)) continue;
    ++shown;
    if (options.lists_pages()) {
      progress.clear();
      print_page(*reader, options);
    } else {
      overview.add(reader->page(), reader->raw().size());
    }
    const auto statistics = reader->statistics();
    progress.update(statistics.compressed_bytes, statistics.pages);
  }
  progress.clear();
  return end_with(options, *reader, overview, name, shown);
}

}  // namespace

void add_inspect(const Command& program, Job& job) {
  auto options = std::make_shared<InspectOptions>();
  const Command command = program.subcommand("inspect", "Show the contents of a collection");
  command.option("FILE", options->file, "a collection; - is standard input").required();
  command.flag("--pages", options->pages, "list the pages; with --json, one page per line");
  command.flag("--content", options->content, "list the pages with their content as text");
  command.option("--limit", options->limit, "stop after N pages (the checksum is then not verified)")
      .not_negative()
      .value_name("N");
  command.option("--url", options->url, "only pages whose URL matches; * matches anything").value_name("URL");
  command
      .option("--since", options->since,
              "only pages modified at or after this time: 2026-01-31 or 2026-01-31T08:00:00Z")
      .value_name("TIME");
  command.flag("--json", options->json, "print JSON");
  command.flag("--allow-headerless", options->allow_headerless,
               "read files without a metadata line (draft 1)");
  command.flag("--web", options->web,
               "show the collection in a web browser: verdict, findings, metadata, sizes and pages");
  add_limit_options(command, options->limits);
  command.footer(
      "Example: sheaf inspect blog.scp.zst --url 'https://example.com/blog/*' --content --limit 3\n"
      "Exit status: 0 shown, 1 the file is invalid or no page matches, 2 could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
