#include "sheaf/base/ascii.h"
#include "sheaf/base/escaping.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/base/url.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/options/page_file.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/page_text.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/extract/extract.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/html/selector.h"
#include "sheaf/markdown/page_markdown.h"
#include "sheaf/visibility/page_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::cli {
namespace {

constexpr std::size_t kAhead = 2;  ///< files in progress per thread

enum class Output : std::uint8_t { json, text, markdown, explain };

struct ExtractCommandOptions {
  std::vector<std::string> files;
  std::string url;
  std::string base;
  std::string content_type;
  std::string select;
  std::string leave_out;
  std::string links = "content";
  bool inline_structure = false;
  bool text = false;
  bool markdown = false;
  bool explain = false;
  unsigned threads = 0;

  [[nodiscard]] Output output() const {
    if (text) return Output::text;
    if (markdown) return Output::markdown;
    return explain ? Output::explain : Output::json;
  }
};

/// Settings derived from the options, the same for every page.
struct Plan {
  const ExtractCommandOptions* options = nullptr;
  std::optional<base::Url> base;
  std::optional<html::Selector> content;
  std::optional<html::Selector> leave_out;
};

/// The result for one file.
struct FileOutcome {
  std::string output;
  std::vector<std::string> notes;
  std::size_t bytes = 0;
  ExitStatus status = ExitStatus::yes;
};

base::Result<std::optional<html::Selector>> compile(const std::string& text) {
  if (text.empty()) return std::nullopt;
  SHEAF_TRY_ASSIGN(html::Selector selector, html::Selector::compile(text));
  return selector;
}

/// The base URL for relative paths. It always ends in a slash.
base::Result<std::optional<base::Url>> parse_base(const std::string& text) {
  if (text.empty()) return std::nullopt;
  auto url = base::Url::parse(text);
  if (!url || url->has_query() || url->has_fragment() || base::is_slash_missing(text))
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("--base {}: give the http or https URL of a folder, as https://example.com/docs/", text));
  if (!url->path().ends_with('/')) url = base::Url::parse(std::string(url->href()) + '/');
  return url;
}

base::Result<Plan> make_plan(const ExtractCommandOptions& options) {
  SHEAF_TRY(check_standard_input(options.files));
  if (!options.url.empty() && options.files.size() > 1)
    return base::fail(base::Errc::invalid_argument,
                      "--url is the URL of one page; for several files use --base");
  if (!options.url.empty() && (!base::Url::parse(options.url) || base::is_slash_missing(options.url)))
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("--url {}: give an http or https URL, as https://example.com/a.html", options.url));
  Plan plan;
  plan.options = &options;
  SHEAF_TRY_ASSIGN(plan.base, parse_base(options.base));
  SHEAF_TRY_ASSIGN(plan.content, compile(options.select));
  SHEAF_TRY_ASSIGN(plan.leave_out, compile(options.leave_out));
  return plan;
}

std::string display_name(const std::string& file) { return file == "-" ? "standard input" : file; }

bool is_markdown(const std::string& file, const std::string& content_type) {
  if (!content_type.empty()) {
    const std::string type = base::lower_text(content_type);
    return type.starts_with("text/markdown") || type.starts_with("text/x-markdown");
  }
  const std::string extension = base::lower_text(std::filesystem::path(file).extension().string());
  return extension == ".md" || extension == ".markdown" || extension == ".mdx";
}

/// Returns the URL of a file below the URL of its folder; empty for standard input.
base::Result<std::string> address_below(const base::Url& base, const std::string& file) {
  if (file == "-") return std::string();
  const std::string path = std::filesystem::path(file).lexically_normal().generic_string();
  if (path.starts_with('/') || path == ".." || path.starts_with("../"))
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("{} is not in this folder, so --base does not give it a URL; run sheaf in "
                                  "the folder that {} stands for and name the file from there",
                                  file, base.href()));
  std::string address(base.href());
  for (const char c : path) {
    if (c == '%' || c == '\\') {
      address += c == '%' ? "%25" : "%5C";
    } else {
      address += c;
    }
  }
  std::string encoded(base.href());
  base::append_percent_encoded(encoded, std::string_view(address).substr(base.href().size()),
                               base::EncodeSet::path);
  return encoded;
}

class PageExtractor {
 public:
  explicit PageExtractor(const Plan& plan) : plan_(plan), options_(*plan.options) {}

  FileOutcome operator()(std::size_t index) {
    const std::string& file = options_.files[index];
    FileOutcome outcome;
    if (const auto done = extract(file, outcome); !done) {
      outcome.notes.push_back(done.error().message);
      outcome.status = done.error().code == base::Errc::invalid_data ? ExitStatus::no : ExitStatus::unknown;
    }
    return outcome;
  }

 private:
  base::Result<void> extract(const std::string& file, FileOutcome& outcome) {
    std::string url = options_.url;
    if (plan_.base) {
      SHEAF_TRY_ASSIGN(url, address_below(*plan_.base, file));
    }
    extract::ExtractOptions extract_options;
    extract_options.url = url;
    extract_options.content_type = options_.content_type;
    const std::string name = std::filesystem::path(file).filename().string();
    if (file != "-") extract_options.file_name = name;
    extract_options.links = extract::find_link_blocks(options_.links).value_or(extract::LinkBlocks::content);
    // Markdown can express all inline formatting.
    if (options_.inline_structure || options_.output() == Output::markdown)
      extract_options.inline_structure = extract::InlineStructure::keep;
    extract_options.content = plan_.content ? &*plan_.content : nullptr;
    extract_options.leave_out = plan_.leave_out ? &*plan_.leave_out : nullptr;
    extract_options.fallback_modified = page_file_time(file);
    SHEAF_TRY_ASSIGN(const std::string bytes, read_page_file(file, extract_options.limits.input_bytes));
    outcome.bytes = bytes.size();
    if (const auto verdict = visibility::judge_bytes(bytes, options_.content_type); !verdict.is_public())
      return base::fail(base::Errc::invalid_data, fmt::format("{}: this is neither HTML nor Markdown: {}",
                                                              display_name(file), verdict.detail));
    const extract::Extraction& extraction = is_markdown(file, options_.content_type)
                                                ? extractor_.extract_markdown(bytes, extract_options)
                                                : extractor_.extract(bytes, extract_options);
    add_notes(file, extraction, outcome);
    return print(file, extraction, outcome);
  }

  base::Result<void> print(const std::string& file, const extract::Extraction& extraction,
                           FileOutcome& outcome) {
    Page page = extraction.page;
    // A URL in the page's front matter takes precedence over its place in the folder.
    if (plan_.base && !extraction.permalink.empty()) page.url = extraction.permalink;
    switch (options_.output()) {
      case Output::json:
        if (page.url.empty())
          return base::fail(base::Errc::invalid_argument,
                            fmt::format("{}: the page has no URL and states none; use --url, or --base for "
                                        "files that are laid out as on the site",
                                        display_name(file)));
        format::encode_page(page, outcome.output);
        break;
      case Output::text: outcome.output = page_text(page); break;
      case Output::markdown: outcome.output = markdown::page_markdown(page); break;
      case Output::explain: outcome.output = extractor_.explain(); break;
    }
    return {};
  }

  static void add_notes(const std::string& file, const extract::Extraction& extraction,
                        FileOutcome& outcome) {
    const auto add = [&](std::string_view note) {
      outcome.notes.push_back(fmt::format("{}: {}", display_name(file), note));
    };
    for (const std::string& problem : extraction.problems) add(problem);
    if (!extraction.verdict.is_public())
      add(fmt::format("`sheaf publish` leaves it out{}{}", extraction.problems.empty() ? ": " : "",
                      extraction.problems.empty() ? extraction.verdict.detail : std::string()));
    if (extraction.malformed_bytes)
      add(fmt::format("bytes that are not {} were replaced", encoding::name(extraction.encoding)));
    for (const std::string_view note : describe_limits(extraction.limits)) add(note);
    if (extraction.merged_blocks > 0)
      add(fmt::format("{} joined to a neighbour: a page has at most 1,000",
                      extraction.merged_blocks == 1
                          ? "1 block was"
                          : human_count(extraction.merged_blocks) + " blocks were"));
    if (extraction.page.content.empty()) add("no content was found");
  }

  const Plan& plan_;
  const ExtractCommandOptions& options_;
  extract::Extractor extractor_;
};

/// Returns a separator for the pages of several files. JSON needs none: each page is one line.
std::string page_header(const ExtractCommandOptions& options, std::size_t index, bool first) {
  if (options.files.size() == 1) return {};
  const std::string name = printable(display_name(options.files[index]), Lines::join);
  const std::string before = first ? "" : "\n";
  // A comment may contain anything but "-->".
  if (options.output() == Output::markdown)
    return name.find("--") == std::string::npos ? fmt::format("{}<!-- {} -->\n\n", before, name) : before;
  return fmt::format("{}==> {} <==\n", before, name);
}

ExitStatus run(const ExtractCommandOptions& options) {
  const auto plan = make_plan(options);
  if (!plan) return report_failure(plan.error());
  base::OrderedPipeline<std::size_t, FileOutcome> work(options.threads,
                                                       [&plan] { return PageExtractor(*plan); });
  Progress progress("extract", std::nullopt);
  ExitStatus worst = ExitStatus::yes;
  std::uint64_t bytes = 0;
  std::size_t index = 0;
  std::size_t begun = 0;
  bool first = true;
  while (index < options.files.size()) {
    // Bounds the files in progress: results that are ready early wait in memory for earlier ones.
    while (begun < options.files.size() && begun < index + kAhead * options.threads) work.push(begun++);
    const auto outcome = work.next();
    worst = std::max(worst, outcome->status);
    bytes += outcome->bytes;
    progress.clear();
    for (const std::string& note : outcome->notes) print_message(note);
    if (outcome->status == ExitStatus::yes && options.output() == Output::json)
      print_json_line(outcome->output);
    else if (outcome->status == ExitStatus::yes)
      print_text("{}{}", page_header(options, index, std::exchange(first, false)), outcome->output);
    progress.update(bytes, ++index, options.files.size());
  }
  return worst;
}

void add_output_options(const Command& command, ExtractCommandOptions& options) {
  const Option text = command.flag("--text", options.text, "print the content as text");
  const Option markdown = command.flag("--markdown", options.markdown, "print the page as Markdown");
  const Option explain =
      command.flag("--explain", options.explain, "print why each part was kept or dropped");
  text.excludes(markdown).excludes(explain);
  markdown.excludes(explain);
}

}  // namespace

void add_extract(const Command& program, Job& job) {
  auto options = std::make_shared<ExtractCommandOptions>();
  const Command command =
      program.subcommand("extract", "Turn HTML and Markdown pages into pages of a collection");
  command.option("FILE", options->files, "HTML or Markdown (.md, .markdown) pages; - is standard input")
      .required();
  const Option url =
      command.option("--url", options->url, "URL of the page; for one file only").value_name("URL");
  command
      .option("--base", options->base,
              "URL of the current folder; the files' relative paths are appended to it")
      .value_name("URL")
      .excludes(url);
  command
      .option("--content-type", options->content_type,
              "Content-Type of the page; text/markdown is read as Markdown")
      .value_name("TYPE");
  command
      .option("--links", options->links,
              "which links become blocks: none, content (links that are a paragraph by themselves), or all "
              "(also links inside text)")
      .one_of({"none", "content", "all"});
  command.flag("--inline", options->inline_structure,
               "mark links, code, emphasis and formulas in texts (docs/format.md)");
  command.option("--select", options->select, "CSS selector for the content").value_name("CSS");
  command.option("--leave-out", options->leave_out, "CSS selector for parts that are not content")
      .value_name("CSS");
  add_output_options(command, *options);
  add_thread_option(command, options->threads, "pages to read in parallel");
  command.footer(
      "Example: sheaf extract --url https://example.com/a.html a.html\n"
      "         sheaf extract --base https://example.com/docs/ *.html guide/*.md > pages.jsonl\n"
      "Exit status: 0 printed, 1 a page exceeds a limit or is not text, 2 a page could not be read or has no "
      "URL.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
