#include "sheaf/base/file.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/options/key_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/quality_output.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/publisher.h"
#include "sheaf/publish/recipes/init.h"
#include "sheaf/publish/recipes/recipe.h"
#include "sheaf/publish/release.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

/// The name of a recipe, and the options of the publish command that it runs.
struct RecipeRequest {
  std::string name;  ///< "nginx"
  std::string config_file;
  std::string folder;
  std::string base;
  std::string out;
  std::string section;
  std::string state;
};

namespace fs = std::filesystem;

enum class Paths : std::uint8_t { absolute, as_given };

/// Returns the arguments that repeat the user's command, without the program's name.
std::vector<std::string> words_of(const RecipeRequest& request, Paths paths) {
  const auto path = [&](const std::string& given) {
    return paths == Paths::as_given ? given : fs::absolute(given).lexically_normal().string();
  };
  std::vector<std::string> words = {"publish"};
  const auto add = [&](const std::string& option, const std::string& value) {
    if (value.empty()) return;
    words.push_back(option);
    words.push_back(value);
  };
  if (request.folder.empty()) {
    add("--config", path(request.config_file));
  } else {
    words.push_back(path(request.folder));
    add("--base", request.base);
    add("--out", path(request.out));
    add("--section", request.section);
  }
  if (!request.state.empty()) add("--state", path(request.state));
  return words;
}

std::string owner_of(const fs::path& folder) {
  struct stat status{};
  if (stat(folder.c_str(), &status) != 0) return {};
  const passwd* user = getpwuid(status.st_uid);  // NOLINT(concurrency-mt-unsafe): there is one thread
  return user == nullptr ? std::string() : std::string(user->pw_name);
}

/// Prints the recipe for `config`, which was made from the options in `request`.
ExitStatus print_recipe(const publish::PublishConfig& config, const RecipeRequest& request) {
  const auto recipe = publish::parse_recipe(request.name);
  if (!recipe)
    return report_failure(
        {base::Errc::invalid_argument, fmt::format("there is no recipe for {}; there are: {}", request.name,
                                                   fmt::join(publish::kRecipeNames, ", "))});
  publish::RecipeFacts facts;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  facts.command = {error ? std::string("sheaf") : program.string()};
  facts.command_in_repo = {"sheaf"};
  for (std::string& word : words_of(request, Paths::absolute)) facts.command.push_back(std::move(word));
  for (std::string& word : words_of(request, Paths::as_given))
    facts.command_in_repo.push_back(std::move(word));
  facts.folder = fs::current_path();
  facts.user = owner_of(facts.folder);
  const auto text = publish::make_recipe(*recipe, config, facts);
  if (!text) return report_failure(text.error());
  print_text("{}", *text);
  return ExitStatus::yes;
}

base::Result<void> write_new(const std::filesystem::path& file, std::string_view text) {
  SHEAF_TRY_ASSIGN(base::AtomicFile out, base::AtomicFile::create(file));
  SHEAF_TRY(out.write(text));
  const auto written = out.commit_new();
  if (!written && written.error().code == base::Errc::already_exists)
    return base::fail(
        base::Errc::already_exists,
        fmt::format("{} already exists and was not changed; delete it to get a new one", file.string()));
  return written;
}

void print_found(const publish::ProjectFacts& facts) {
  if (facts.generator) {
    print_text("found {} ({})\n", facts.generator->name, printable(facts.generator->evidence, Lines::join));
    if (!facts.generator->problem.empty())
      print_text("not all settings were read: {}\n", printable(facts.generator->problem, Lines::join));
  }
  if (!facts.output_exists) {
    print_text("its output folder {} does not exist yet\n", printable(facts.output, Lines::join));
    return;
  }
  print_text("{} in {}\n", counted(facts.pages, "page", "pages"), printable(facts.output, Lines::join));
}

/// The next build would delete a robots.txt in the output folder, so it belongs to the sources.
void print_robots_step(const publish::ProjectFacts& facts) {
  if (!facts.generator || facts.has_robots || facts.base.empty()) return;
  std::string base = facts.base;  // as given with --base
  while (base.ends_with('/')) base.pop_back();
  const std::string sitemap =
      fmt::format("Sitemap: {}/{}", base, facts.sitemap.empty() ? "sitemap.xml" : "sitemap-scp.xml");
  if (facts.generator->name == "Sphinx")
    print_text("next: write a robots.txt with this line, and name it in html_extra_path of conf.py: {}\n",
               printable(sitemap, Lines::join));
  else if (!facts.generator->statics.empty())
    print_text(
        "next: add this line to {}, which every build copies to the site: {}\n",
        printable(
            (std::filesystem::path(facts.generator->statics) / "robots.txt").lexically_normal().string(),
            Lines::join),
        printable(sitemap, Lines::join));
}

void print_steps(const publish::ProjectFacts& facts, const std::filesystem::path& file) {
  if (facts.base.empty()) print_text("next: set `base` in it to the site's URL\n");
  if (!facts.output_exists) print_text("next: build the site\n");
  print_robots_step(facts);
  print_text("next: sheaf publish{} --dry-run\n",
             file == "sheaf.toml" ? "" : " --config " + publish::shell_word(file.string()));
}

/// Writes a sheaf.toml into the folder of a project and reports what was found. An existing file is not
/// changed. `base` is the site's URL if the user gave it.
ExitStatus write_first_config(const std::string& folder, const std::string& base) {
  auto facts = publish::inspect_project(folder);
  if (!facts) return report_failure(facts.error());
  if (!base.empty()) facts->base = base;
  const std::filesystem::path file = (facts->place / "sheaf.toml").lexically_normal();
  if (const auto done = write_new(file, publish::draft_config(*facts)); !done)
    return report_failure(done.error());
  print_found(*facts);
  print_text("wrote {}\n", printable(file.string(), Lines::join));
  print_steps(*facts, file);
  return ExitStatus::yes;
}

constexpr std::size_t kNamedPages = 5;
constexpr std::string_view kConfigFile = "sheaf.toml";

struct PublishCommandOptions {
  std::string folder;
  std::string config;
  std::string base;
  std::string out;
  std::string section;
  std::string state;
  std::string recipe;
  std::string report;
  std::string sign_key;
  bool relearn = false;
  bool init = false;
  bool snapshot = false;
  bool dry_run = false;
  bool explain = false;
  bool write_robots = false;
  bool allow_shrink = false;
  bool allow_unsigned = false;
  bool allow_private = false;
  bool allow_http = false;
  bool json = false;
  unsigned threads = 0;
};

base::Result<publish::PublishConfig> with_state(publish::PublishConfig config,
                                                const PublishCommandOptions& options) {
  if (!options.state.empty()) {
    config.state = options.state;
    config.served_state.clear();
  }
  SHEAF_TRY(publish::check_state(config));
  return config;
}

base::Result<publish::PublishConfig> read_settings(const PublishCommandOptions& options) {
  if (!options.folder.empty()) {
    if (options.base.empty() || options.out.empty())
      return base::fail(base::Errc::invalid_argument,
                        "a folder needs --base (the site's URL) and --out (the folder for the collections)");
    SHEAF_TRY_ASSIGN(auto config,
                     publish::config_for_folder(options.folder, options.base, options.out, options.section));
    return with_state(std::move(config), options);
  }
  if (!options.base.empty())
    return base::fail(base::Errc::invalid_argument,
                      "--base needs a folder of pages or --init; a configuration has `base` itself");
  const std::string file = options.config.empty() ? std::string(kConfigFile) : options.config;
  if (options.config.empty()) {
    std::error_code error;
    if (!std::filesystem::exists(file, error))
      return base::fail(
          base::Errc::invalid_argument,
          "name a folder of pages with --base and --out, or a configuration with --config; there is no "
          "sheaf.toml here");
  }
  SHEAF_TRY_ASSIGN(auto config, publish::read_config(file));
  return with_state(std::move(config), options);
}

base::Result<publish::PublishConfig> make_config(const PublishCommandOptions& options) {
  SHEAF_TRY_ASSIGN(auto config, read_settings(options));
  if (!options.sign_key.empty()) config.signing = {.key = options.sign_key, .command = {}, .public_key = {}};
  return config;
}

void print_urls(std::string_view label, const std::vector<std::string>& urls, std::uint64_t count) {
  const std::size_t shown = std::min(urls.size(), kNamedPages);
  for (std::size_t i = 0; i < shown; ++i) print_text("      {} {}\n", label, printable(urls[i], Lines::join));
  if (count > shown) print_text("      {} {} more\n", label, human_count(count - shown));
}

void print_repairs(const PublishSectionReport& section) {
  if (section.repaired == 0) return;
  print_text("    repaired {}, or strict readers would reject {}\n",
             counted(section.repaired, "page", "pages"), section.repaired == 1 ? "it" : "them");
  const std::size_t shown = std::min(section.repairs.size(), kNamedPages);
  for (std::size_t i = 0; i < shown; ++i)
    print_text("      {}: {}\n", printable(section.repairs[i].what, Lines::join),
               printable(section.repairs[i].detail, Lines::join));
  if (section.repairs.size() > shown) print_text("      and more\n");
}

void print_section(const PublishSectionReport& section, bool dry_run) {
  print_text("  {}: {}", coloured(Colour::bold, printable(section.section, Lines::join)),
             counted(section.pages, "page", "pages"));
  if (section.has_changes()) {
    print_text(": {} new, {} changed, {} removed\n", human_count(section.added), human_count(section.changed),
               human_count(section.removed));
  } else {
    print_text(", nothing changed\n");
  }
  if (dry_run) {
    print_urls("new    ", section.added_urls, section.added);
    print_urls("changed", section.changed_urls, section.changed);
    print_urls("removed", section.removed_urls, section.removed);
  }
  if (const auto& saving = section.saving; saving && saving->compressed_bytes < saving->html_bytes)
    print_text(
        "    as a {} file: {}, {:.0f} % less than {} of HTML\n", format::to_string(saving->codec),
        human_size(saving->compressed_bytes),
        100 - 100.0 * static_cast<double>(saving->compressed_bytes) / static_cast<double>(saving->html_bytes),
        human_size(saving->html_bytes));
  for (const PublishedFile& file : section.written)
    print_text("    wrote {}: {}, {}\n", printable(to_string(file.name), Lines::join),
               counted(file.pages, "page", "pages"), human_size(file.bytes));
  print_repairs(section);
  for (const auto& omission : section.skipped) {
    print_text("    skipped {}: {}\n", counted(omission.count, "page", "pages"),
               publish::describe(omission.reason));
    for (std::size_t i = 0; i < std::min(omission.named.size(), kNamedPages); ++i) {
      const NamedItem& named = omission.named[i];
      print_text("      {}{}{}\n", printable(named.what, Lines::join), named.detail.empty() ? "" : ": ",
                 printable(named.detail, Lines::join));
    }
    if (omission.count > kNamedPages)
      print_text("      {} more\n", human_count(omission.count - kNamedPages));
  }
}

/// Returns the sitemap that lists the collections: its file, or its URL if it is uploaded elsewhere.
std::string name_of_sitemap(const PublishReport& report, const publish::PublishConfig& config) {
  if (!report.place.empty()) return publish::advertised_sitemap_url(config);
  const bool separate = config.sitemap_mode == publish::SitemapMode::separate;
  return (separate ? config.sitemap.parent_path() / publish::kSheafSitemapName : config.sitemap).string();
}

void print_report(const PublishReport& report, const quality::QualitySummary& quality,
                  const publish::PublishConfig& config, const PublishCommandOptions& options) {
  if (report.resumed) print_text("the last run was interrupted; its collections are published now\n");
  if (report.recovered)
    print_text("the state was missing; it was rebuilt from the collections in {}\n",
               printable(config.out.string(), Lines::join));
  print_text("{}\n", options.dry_run ? "would publish (dry run):" : "published:");
  for (const PublishSectionReport& section : report.sections) print_section(section, options.dry_run);
  write_text(stdout, describe_quality(quality, options.report.empty() ? " (--report FILE lists them)" : ""));
  if (!options.report.empty()) print_text("  wrote report {}\n", printable(options.report, Lines::join));
  if (options.dry_run) return;
  if (report.outputs_written + report.outputs_removed > 0)
    print_text("  outputs: {} written, {} removed\n", counted(report.outputs_written, "file", "files"),
               human_count(report.outputs_removed));
  if (report.urls_submitted > 0)
    print_text("  submitted {} to IndexNow\n", counted(report.urls_submitted, "URL", "URLs"));
  if (report.signatures > 0)
    print_text("  signed {}\n", counted(report.signatures, "collection", "collections"));
  if (report.sitemap_changed)
    print_text("  updated sitemap {}\n", printable(name_of_sitemap(report, config), Lines::join));
  if (report.robots_changed)
    print_text("  added the Sitemap line to {}\n", printable(config.robots.string(), Lines::join));
  if (report.sent > 0)
    print_text("  uploaded {} to {}\n", counted(report.sent, "file", "files"),
               printable(report.place, Lines::join));
  if (report.restored > 0)
    print_text("  put back {} that a build deleted from {}\n",
               counted(report.restored, "collection", "collections"),
               printable(config.out.string(), Lines::join));
  if (report.cleaned > 0) print_text("  deleted {}\n", counted(report.cleaned, "old file", "old files"));
  for (const std::string& note : report.notes) print_text("note: {}\n", printable(note, Lines::join));
  for (const std::string& step : report.steps) print_text("next: {}\n", printable(step, Lines::join));
}

base::Result<void> print_left_out(const quality::QualityReport& quality) {
  print_text("left out:\n");
  return quality.each_skipped([](const quality::SkippedPage& page) {
    print_text("  {}: {}{}{}\n", printable(page.item, Lines::join), page.reason,
               page.detail.empty() ? "" : ": ", printable(page.detail, Lines::join));
  });
}

void write_section(JsonOutput& json, const PublishSectionReport& section) {
  json.begin_object()
      .string("section", section.section)
      .number("pages", section.pages)
      .number("added", section.added)
      .number("changed", section.changed)
      .number("unchanged", section.unchanged)
      .number("removed", section.removed);
  if (section.saving)
    json.number("htmlBytes", section.saving->html_bytes)
        .number("compressedBytes", section.saving->compressed_bytes);
  json.begin_array("files");
  for (const PublishedFile& file : section.written)
    json.begin_object()
        .string("name", to_string(file.name))
        .number("pages", file.pages)
        .number("bytes", file.bytes)
        .string("checksum", file.checksum)
        .end_object();
  json.end_array();
  json.number("repaired", section.repaired).begin_array("repairs");
  for (const NamedItem& repair : section.repairs)
    json.begin_object().string("item", repair.what).string("repair", repair.detail).end_object();
  json.end_array();
  json.begin_object("leftOut");
  for (const auto& omission : section.skipped) json.number(to_string(omission.reason), omission.count);
  json.end_object();
  json.end_object();
}

std::string to_json(const PublishReport& report, const PublishCommandOptions& options) {
  JsonOutput json;
  json.begin_report()
      .boolean("dryRun", options.dry_run)
      .boolean("resumed", report.resumed)
      .boolean("recovered", report.recovered)
      .boolean("sitemapChanged", report.sitemap_changed)
      .boolean("robotsChanged", report.robots_changed)
      .number("outputsWritten", report.outputs_written)
      .number("outputsRemoved", report.outputs_removed)
      .number("urlsSubmitted", report.urls_submitted)
      .number("signatures", report.signatures)
      .number("cleaned", report.cleaned)
      .number("restored", report.restored)
      .number("sent", report.sent);
  json.begin_array("sections");
  for (const PublishSectionReport& section : report.sections) write_section(json, section);
  json.end_array();
  json.begin_array("notes");
  for (const std::string& note : report.notes) json.element(note);
  for (const std::string& step : report.steps) json.element(step);
  json.end_array();
  json.end_object();
  return json.text();
}

/// Publishes and prints the report. The file of --report is written even if a guard holds the pages back,
/// because it says why they were skipped.
base::Result<void> publish_and_report(const publish::PublishConfig& config, const PublishOptions& run_options,
                                      const PublishCommandOptions& options) {
  ReportFile file;
  SHEAF_TRY(file.open(options.report));
  quality::QualityReport quality;
  const auto report =
      publish::publish(config, run_options, {.quality = &quality, .read_all = file.is_wanted()});
  Progress::clear();
  SHEAF_TRY_ASSIGN(const quality::QualitySummary summary, quality.finish());
  const std::string site(config.base->href());
  SHEAF_TRY(file.add(quality, site));
  SHEAF_TRY(file.commit());
  // Also if a guard holds the run: it is what the user asks for then.
  if (options.explain && !options.json) SHEAF_TRY(print_left_out(quality));
  if (!report) return std::unexpected(report.error());
  if (options.json) return print_with_quality(to_json(*report, options), quality, site);
  print_report(*report, summary, config, options);
  return {};
}

ExitStatus run(const PublishCommandOptions& options) {
  if (options.init) return write_first_config(options.folder.empty() ? "." : options.folder, options.base);
  const auto config = make_config(options);
  if (!config) return report_failure(config.error());
  if (!options.recipe.empty())
    return print_recipe(*config,
                        {.name = options.recipe,
                         .config_file = options.config.empty() ? std::string(kConfigFile) : options.config,
                         .folder = options.folder,
                         .base = options.base,
                         .out = options.out,
                         .section = options.section,
                         .state = options.state});
  Progress progress("publish", std::nullopt);
  PublishOptions publish_options;
  publish_options.snapshot = options.snapshot;
  publish_options.dry_run = options.dry_run;
  publish_options.allow_unsigned = options.allow_unsigned;
  publish_options.shrink = options.allow_shrink ? format::Shrink::allow : format::Shrink::refuse;
  publish_options.threads = options.threads;
  publish_options.allow_private = options.allow_private;
  publish_options.allow_http = options.allow_http;
  publish_options.environment = environment_variable;
  publish_options.progress = [&progress](std::uint64_t bytes, std::uint64_t items, std::uint64_t expected) {
    progress.update(bytes, items, expected);
  };
  publish_options.relearn = options.relearn;
  publish_options.write_robots = options.write_robots;
  publish_options.passphrase = passphrase_source();
  const auto done = publish_and_report(*config, publish_options, options);
  return done ? ExitStatus::yes : report_failure(done.error());
}

}  // namespace

void add_publish(const Command& program, Job& job) {
  auto options = std::make_shared<PublishCommandOptions>();
  const Command command =
      program.subcommand("publish", "Keep a site's collections, deltas and sitemap current");
  const Option folder = command.option("DIR", options->folder, "a folder of rendered pages");
  command
      .option("-c,--config", options->config, "configuration file; default: sheaf.toml in the current folder")
      .value_name("FILE")
      .excludes(folder);
  command.option("--base", options->base, "URL of the site, e.g. https://example.com; for DIR or --init")
      .value_name("URL");
  command.option("--out", options->out, "folder for the collections, inside the served site")
      .value_name("DIR")
      .needs(folder);
  command.option("--section", options->section, "name of the section; default: all")
      .value_name("NAME")
      .needs(folder);
  command.option("--state", options->state, "state folder, which must not be served; default: DIR.sheaf")
      .value_name("DIR");
  command.flag("--snapshot", options->snapshot, "write a snapshot even if none is due");
  command.flag("--dry-run", options->dry_run, "print what would be published, without publishing it");
  command.flag("--explain", options->explain, "list each page that is left out, with its reason");
  command
      .option("--report", options->report,
              "write a quality report on all pages to FILE, as JSON; reads every page")
      .value_name("FILE");
  command
      .option("--sign-key", options->sign_key,
              "sign the collections with this secret key (`sheaf keys create`)")
      .value_name("FILE");
  command.flag("--relearn", options->relearn, "learn the site's template (navigation, footers) again");
  command.flag("--allow-shrink", options->allow_shrink,
               "publish even if more than half of a section is gone");
  command.flag("--allow-unsigned", options->allow_unsigned,
               "publish without a key although earlier runs were signed");
  command.flag("--allow-private", options->allow_private,
               "also fetch a live site at a private address (127.0.0.1, 10.0.0.1)");
  command.flag(
      "--allow-http", options->allow_http,
      "follow redirects of a live site from https to http, and read its sitemaps and pages over http");
  command.flag("--write-robots", options->write_robots,
               "add the Sitemap line and the preferences of [usage] to robots.txt if they are missing");
  command.flag("--init", options->init, "write a sheaf.toml for the project in DIR or the current folder");
  command
      .option("--recipe", options->recipe,
              "print settings for a scheduler, a CI service, a web server or a host")
      .one_of({publish::kRecipeNames.begin(), publish::kRecipeNames.end()});
  command.flag("--json", options->json, "print the report as JSON");
  add_thread_option(command, options->threads, "pages to read in parallel");
  command.footer(
      "Example: sheaf publish public/ --base https://example.com --out public/scp\n"
      "         sheaf publish --config sheaf.toml --dry-run\n"
      "         sheaf publish --init\n"
      "         sheaf publish --recipe nginx\n"
      "Credentials for object storage come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or ~/.aws.\n"
      "The passphrase of a signing key is taken from SHEAF_KEY_PASSPHRASE if it is set, otherwise it is "
      "asked for on the terminal.\n"
      "Exit status: 0 published or nothing to do, 1 held back by a guard, 2 something failed: nothing that "
      "is advertised\n"
      "has changed, and the next run continues.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
