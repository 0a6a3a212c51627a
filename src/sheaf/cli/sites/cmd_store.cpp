#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/export_forms.h"
#include "sheaf/cli/sites/pull_metrics.h"
#include "sheaf/cli/sites/pull_sites.h"
#include "sheaf/cli/sites/site_list_file.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/store/copy_store.h"
#include "sheaf/store/open/open_store.h"
#include "sheaf/store/shared_stores.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using store::shared::ListedSite;
using store::shared::SharedInfo;

struct StoreOptions {
  std::string action;
  std::vector<std::string> arguments;
  unsigned buckets = 1024;
  unsigned feed_days = 90;
  std::string objects;
  std::string list;
  bool json = false;
};

/// Takes the next argument, or fails if there is none.
Result<std::string> take(std::vector<std::string>& arguments, const StoreOptions& options,
                         std::string_view what) {
  if (arguments.empty())
    return fail(Errc::invalid_argument, fmt::format("`sheaf store {}` needs {}", options.action, what));
  std::string first = std::move(arguments.front());
  arguments.erase(arguments.begin());
  return first;
}

Result<std::string> take_shared(std::vector<std::string>& arguments, const StoreOptions& options) {
  SHEAF_TRY_ASSIGN(std::string url,
                   take(arguments, options, "the URL of a store, as postgresql://sheaf@db/copy"));
  if (store::is_shared_location(url)) return url;
  return fail(Errc::invalid_argument,
              fmt::format("{} is not the URL of a shared store, as postgresql://sheaf@db/copy", url));
}

Result<void> no_more(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return {};
  return fail(Errc::invalid_argument, fmt::format("{} is an unexpected argument", arguments.front()));
}

Result<void> create(const StoreOptions& options) {
  std::vector<std::string> arguments = options.arguments;
  SHEAF_TRY_ASSIGN(const std::string url, take_shared(arguments, options));
  SHEAF_TRY(no_more(arguments));
  store::shared::CreateOptions creation;
  creation.buckets = options.buckets;
  creation.feed_days = options.feed_days;
  creation.objects = options.objects;
  SHEAF_TRY_ASSIGN(const auto* const stores, store::shared::shared_stores());
  SHEAF_TRY(stores->create(url, creation, environment_variable));
  print_text("created a store with {} in {}\n", counted(options.buckets, "bucket", "buckets"),
             printable(store::shared::name_of_url(url), Lines::join));
  return {};
}

void print_info(const SharedInfo& info) {
  print_text("format {}, {}, of which {} owned; changes are kept for {}\n", info.meta.format,
             counted(static_cast<std::uint64_t>(info.meta.buckets), "bucket", "buckets"),
             counted(info.held_buckets, "is", "are"),
             counted(static_cast<std::uint64_t>(info.meta.feed_days), "day", "days"));
  print_text("{} listed; {} in {}, {} as JSON, {} packed\n", counted(info.sites, "site", "sites"),
             counted(info.pages, "page", "pages"), counted(info.sections, "section", "sections"),
             human_size(info.page_bytes), human_size(info.pack_bytes));
  print_text("{} in the feed; {} in the database\n", counted(info.changes, "change", "changes"),
             human_size(info.disk_bytes));
  print_text("{}", describe_workers(info.workers));
}

void print_info_json(const SharedInfo& info) {
  JsonOutput out;
  out.begin_report()
      .number("format", static_cast<std::uint64_t>(info.meta.format))
      .number("buckets", static_cast<std::uint64_t>(info.meta.buckets))
      .number("bucketsOwned", info.held_buckets)
      .number("sites", info.sites)
      .number("sections", info.sections)
      .number("pages", info.pages)
      .number("bytes", info.page_bytes)
      .number("packedBytes", info.pack_bytes)
      .number("changes", info.changes)
      .number("diskBytes", info.disk_bytes);
  write_workers(out, info.workers);
  out.end_object();
  print_json_line(out.text());
}

Result<void> show_info(const StoreOptions& options) {
  std::vector<std::string> arguments = options.arguments;
  SHEAF_TRY_ASSIGN(const std::string url, take_shared(arguments, options));
  SHEAF_TRY(no_more(arguments));
  SHEAF_TRY_ASSIGN(const auto* const stores, store::shared::shared_stores());
  SHEAF_TRY_ASSIGN(const SharedInfo info, stores->info(url));
  options.json ? print_info_json(info) : print_info(info);
  return {};
}

/// Returns the sites that are named as arguments, and those of --list.
Result<SortedSites> named_sites(const std::vector<std::string>& arguments, const StoreOptions& options) {
  SHEAF_TRY_ASSIGN(auto sites, SortedSites::read(arguments, options.list));
  if (sites.empty())
    return fail(Errc::invalid_argument, "name a site, as https://example.com, or a --list of them");
  return sites;
}

Result<void> list_all(const std::string& url) {
  SHEAF_TRY_ASSIGN(const auto* const stores, store::shared::shared_stores());
  return stores->list_sites(url, [](const ListedSite& site) {
    print_text("{}\n", printable(site.url, Lines::join));
    return check_printed().has_value();
  });
}

Result<void> change_sites(const StoreOptions& options) {
  std::vector<std::string> arguments = options.arguments;
  SHEAF_TRY_ASSIGN(const std::string verb,
                   take(arguments, options, "add, remove or list, and the URL of a store"));
  SHEAF_TRY_ASSIGN(const std::string url, take_shared(arguments, options));
  if (verb == "list") {
    SHEAF_TRY(no_more(arguments));
    return list_all(url);
  }
  if (verb != "add" && verb != "remove")
    return fail(Errc::invalid_argument, fmt::format("`sheaf store sites {}`: use add, remove or list", verb));
  SHEAF_TRY_ASSIGN(auto sites, named_sites(arguments, options));
  SHEAF_TRY_ASSIGN(const auto* const stores, store::shared::shared_stores());
  if (verb == "add") {
    SHEAF_TRY_ASSIGN(const std::uint64_t added, stores->add_sites(url, listed_from(sites)));
    print_text("added {}\n", counted(added, "site", "sites"));
    return {};
  }
  SHEAF_TRY_ASSIGN(const std::uint64_t removed, stores->remove_sites(url, listed_from(sites)));
  print_text("removed {} from the list\n", counted(removed, "site", "sites"));
  return {};
}

Result<void> copy(const StoreOptions& options) {
  std::vector<std::string> arguments = options.arguments;
  SHEAF_TRY_ASSIGN(const std::string from, take(arguments, options, "two stores: FROM and TO"));
  SHEAF_TRY_ASSIGN(const std::string to, take(arguments, options, "two stores: FROM and TO"));
  SHEAF_TRY(no_more(arguments));
  SHEAF_TRY_ASSIGN(const auto source, open_existing_store(from, StoreAccess::read));
  SHEAF_TRY_ASSIGN(const auto target, open_any_store(to, StoreAccess::write));
  Progress line("copy", std::nullopt);
  store::CopyOptions copying;
  copying.progress = [&](std::uint64_t pages, std::uint64_t total) {
    line.update_stage("copy", pages, total, Progress::Unit::pages);
  };
  SHEAF_TRY_ASSIGN(const auto summary, store::copy_store(*source, *target, copying));
  line.clear();
  print_text("copied {} in {} of {}, {} as JSON\n", counted(summary.pages, "page", "pages"),
             counted(summary.sections, "section", "sections"), counted(summary.sites, "site", "sites"),
             human_size(summary.bytes));
  return {};
}

ExitStatus run(const StoreOptions& options) {
  const auto done = options.action == "create"  ? create(options)
                    : options.action == "info"  ? show_info(options)
                    : options.action == "sites" ? change_sites(options)
                                                : copy(options);
  return done ? ExitStatus::yes : report_failure(done.error());
}

}  // namespace

void add_store(const Command& program, Job& job) {
  auto options = std::make_shared<StoreOptions>();
  const Command command = program.subcommand("store", "Create and manage stores that several machines share");
  command
      .option("ACTION", options->action,
              "create URL; info URL; sites add|remove|list URL SITE...; copy FROM TO")
      .one_of({"create", "info", "sites", "copy"})
      .required();
  command.option("ARGUMENT", options->arguments,
                 "arguments of the action; URL is postgresql://USER@HOST/DATABASE");
  command
      .option("--buckets", options->buckets,
              "with create: the number of parts that workers share; cannot be changed later")
      .within(1U, static_cast<unsigned>(store::shared::kMaxBuckets))
      .show_default();
  command
      .option("--feed-days", options->feed_days,
              "with create: how long gc keeps changes in the feed, in days")
      .within(1U, 36'500U)
      .show_default();
  command
      .option(
          "--objects", options->objects,
          "with create: keep pages outside the database, in s3://BUCKET/PREFIX or a folder that all machines "
          "mount")
      .value_name("PLACE");
  command.option("--list", options->list, "with sites add and sites remove: file with one site per line")
      .value_name("FILE");
  command.flag("--json", options->json, "with info: print JSON");
  command.footer(
      "Example: sheaf store create postgresql://sheaf@db/copy\n"
      "         sheaf store sites add postgresql://sheaf@db/copy https://example.com\n"
      "         sheaf store copy crawl postgresql://sheaf@db/copy\n"
      "Passwords are taken from ~/.pgpass, a service file or PGPASSWORD, never from the URL.\n"
      "Exit status: 0 done, 1 the store is damaged or of another version, 2 something failed.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
