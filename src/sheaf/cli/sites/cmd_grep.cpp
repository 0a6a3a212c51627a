#include "sheaf/base/byte_source.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/grep/page_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using grep::MatchedLine;
using grep::PageMatches;

struct GrepOptions {
  std::string pattern;
  std::vector<std::string> files;
  std::string store;
  SelectionOptions selection;
  bool fixed = false;
  bool ignore_case = false;
  bool code = false;
  bool text = false;
  bool count = false;
  bool urls = false;
  bool json = false;
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  unsigned threads = 0;
  format::Limits limits;
};

/// Prints matches until there are enough of them.
class MatchPrinter {
 public:
  explicit MatchPrinter(const GrepOptions& options) : options_(options) {}

  /// Returns false if no more matches are wanted.
  bool print(const PageMatches& page) {
    ++pages_;
    if (options_.count) {
      lines_ += page.count;
      return true;
    }
    if (options_.urls) {
      print_url(page);
      ++lines_;
      return lines_ < options_.limit;
    }
    for (const MatchedLine& line : page.lines) {
      options_.json ? print_json(page, line) : print_line(page, line);
      if (++lines_ == options_.limit) return false;
    }
    return true;
  }

  void finish() const {
    if (!options_.count) return;
    if (!options_.json) {
      print_text("{}\n", lines_);
      return;
    }
    JsonOutput out;
    out.begin_report().number("pages", pages_).number("lines", lines_).end_object();
    print_json_line(out.text());
  }

  [[nodiscard]] bool has_found() const { return pages_ > 0; }

 private:
  void print_url(const PageMatches& page) const {
    if (!options_.json) {
      print_text("{}\n", printable(page.url, Lines::join));
      return;
    }
    JsonOutput out;
    begin(out, page).end_object();
    print_json_line(out.text());
  }

  /// Prints URL, headings and line, separated by tabs. printable() leaves no tabs within them.
  static void print_line(const PageMatches& page, const MatchedLine& line) {
    std::string path;
    for (const auto& heading : line.headings) path += (path.empty() ? "" : " > ") + *heading;
    print_text("{}\t{}\t{}\n", coloured(Colour::bold, printable(page.url, Lines::join)),
               coloured(Colour::dim, printable(path.empty() ? page.title : path, Lines::join)),
               printable(line.text, Lines::join));
  }

  static void print_json(const PageMatches& page, const MatchedLine& line) {
    JsonOutput out;
    begin(out, page).begin_array("headings");
    for (const auto& heading : line.headings) out.element(*heading);
    out.end_array()
        .string("type", line.type)
        .number("block", line.block)
        .number("line", line.line)
        .string("text", line.text)
        .string("match", std::string_view(line.text).substr(line.begin, line.end - line.begin))
        .end_object();
    print_json_line(out.text());
  }

  static format::JsonWriter& begin(JsonOutput& out, const PageMatches& page) {
    out.begin_report();
    if (!page.site.empty()) out.string("site", page.site);
    if (!page.section.empty()) out.string("section", page.section);
    return out.string("url", page.url).string("title", page.title);
  }

  const GrepOptions& options_;
  std::uint64_t pages_ = 0;
  std::uint64_t lines_ = 0;  ///< printed or counted
};

Result<grep::SearchOptions> search_options(const GrepOptions& options) {
  SHEAF_TRY_ASSIGN(const Selection selection, parse_selection(options.selection));
  grep::SearchOptions search;
  search.pattern = {options.pattern, options.fixed, options.ignore_case};
  if (options.code) search.blocks = grep::SearchedBlocks::code;
  if (options.text) search.blocks = grep::SearchedBlocks::text;
  if (options.count) search.detail = grep::MatchDetail::count;
  if (options.urls) search.detail = grep::MatchDetail::page;
  search.filter = {selection.site,  selection.section,     selection.since,
                   selection.until, options.selection.url, options.selection.language};
  search.threads = options.threads;
  search.limits = options.limits;
  return search;
}

/// Searches the files one after another, and returns whether all of them could be read. A file that cannot be
/// read does not prevent the others from being searched.
Result<bool> search_files(const GrepOptions& options, const grep::SearchOptions& search,
                          const grep::MatchUse& use) {
  SHEAF_TRY(check_standard_input(options.files));
  bool all_read = true;
  bool wants_more = true;
  for (std::size_t i = 0; i < options.files.size() && wants_more; ++i) {
    auto source = base::open_source(options.files[i]);
    Result<void> searched;
    if (source) {
      searched = grep::search_collection(std::move(*source), search, [&](const PageMatches& matches) {
        auto more = use(matches);
        wants_more = more && *more;
        return more;
      });
    }
    const auto& failure = source ? searched : Result<void>(std::unexpected(source.error()));
    if (failure) continue;
    all_read = false;
    if (failure.error().code == Errc::invalid_argument) return std::unexpected(failure.error());
    print_message(failure.error().message);
  }
  return all_read;
}

/// Returns whether everything could be read.
Result<bool> search(const GrepOptions& options, MatchPrinter& printer) {
  if (options.store.empty() == options.files.empty())
    return fail(Errc::invalid_argument, options.store.empty()
                                            ? "name a store with --store, or files to search"
                                            : "search either a store or files: --store excludes FILE");
  SHEAF_TRY_ASSIGN(grep::SearchOptions search, search_options(options));
  Progress progress("grep", std::nullopt);
  bool all_read = true;
  search.progress = [&](std::uint64_t bytes, std::uint64_t pages) { progress.update(bytes, pages); };
  search.on_damage = [&](const std::string& sentence) {
    all_read = false;
    print_message(sentence);
  };
  if (options.limit == 0) return true;
  const auto print = [&](const PageMatches& matches) -> Result<bool> { return printer.print(matches); };
  if (options.store.empty()) {
    SHEAF_TRY_ASSIGN(const bool files_read, search_files(options, search, print));
    return all_read && files_read;
  }
  SHEAF_TRY_ASSIGN(const auto store, open_existing_store(options.store, StoreAccess::read));
  SHEAF_TRY(check_known(*store, search.filter.site));
  SHEAF_TRY(grep::search_store(*store, search, print));
  return all_read;
}

/// As with grep, the exit status after a failure is 2 even if something was found.
ExitStatus run(const GrepOptions& options) {
  MatchPrinter printer(options);
  const auto all_read = search(options, printer);
  if (!all_read) {
    (void)report_failure(all_read.error());
    return ExitStatus::unknown;
  }
  printer.finish();
  if (!*all_read) return ExitStatus::unknown;
  return printer.has_found() ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace

void add_grep(const Command& program, Job& job) {
  auto options = std::make_shared<GrepOptions>();
  const Command command = program.subcommand("grep", "Find lines of pages that match a regular expression");
  command.option("PATTERN", options->pattern, "a regular expression in RE2's syntax").required();
  command.option("FILE", options->files,
                 "collections or JSON Lines of pages to search instead of a store; - is standard input");
  command.option("--store", options->store, "folder of the store, or postgresql://... for a shared store")
      .value_name("STORE");
  command.flag("-F,--fixed-strings", options->fixed,
               "treat PATTERN as plain text, not as a regular expression");
  command.flag("-i,--ignore-case", options->ignore_case, "ignore case distinctions");
  const Option code = command.flag("--code", options->code, "search code blocks only");
  command.flag("--text", options->text, "search everything except code blocks").excludes(code);
  const Option count = command.flag("-c,--count", options->count, "print only the number of matching lines");
  command.flag("-l,--urls", options->urls, "print only the URLs of matching pages").excludes(count);
  command.option("--limit", options->limit, "stop after N lines, or URLs with -l")
      .not_negative()
      .value_name("N")
      .excludes(count);
  add_page_filter_options(command, options->selection);
  add_thread_option(command, options->threads, "threads to use");
  command.flag("--json", options->json, "print one JSON object per line");
  add_limit_options(command, options->limits);
  command.footer(
      "Example: sheaf grep 'max_[a-z]+_size' --store crawl --site example.com --code\n"
      "         sheaf grep -il 'site content protocol' blog.scp.zst docs.scp.zst\n"
      "Exit status: 0 something matches, 1 nothing matches, 2 something could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
