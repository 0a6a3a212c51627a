#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/sites/fetch_options.h"
#include "sheaf/cli/sites/pull_job.h"

#include <memory>

namespace sheaf::cli {
namespace {

void add_network_options(const Command& command, PullCommandOptions& options) {
  add_fetch_options(command, options.requests);
  add_transfer_options(command, options.requests);
  command
      .option("--identity", options.identity,
              "sign every request with this identity (`sheaf identity create`)")
      .value_name("DIR");
  command.option("--all-connections", options.all_connections, "parallel requests in total")
      .within(1U, 10'000U)
      .show_default();
  command.flag("--ignore-retry-after", options.pull.ignore_retry_after,
               "also pull sites that asked for no requests until later (Retry-After)");
}

void add_many_options(const Command& command, PullCommandOptions& options) {
  command
      .option("--list", options.list,
              "file with one site per line; each is pulled when it is due. Workers of a shared store need it "
              "only once: the sites are then listed in the store")
      .value_name("FILE");
  command
      .option("--every", options.every, "how often to pull each site: 30m, 1d, or auto (as each site states)")
      .value_name("TIME")
      .show_default();
  command.flag("--once", options.once, "pull what is due and exit, for cron");
  command.option("--sites", options.sites_at_once, "sites to pull in parallel")
      .within(1U, 1000U)
      .show_default();
  command.option("--metrics", options.metrics, "address on which to serve /metrics in Prometheus format")
      .value_name("ADDRESS");
}

/// Adds the options for the local copy and for downloaded files.
void add_copy_options(const Command& command, PullCommandOptions& options) {
  command.flag("--allow-shrink", options.allow_shrink, "allow a site to remove more than half of a section");
  command
      .option("--snapshot-every", options.snapshot_every,
              "if no state digest proves the copy, fetch a snapshot this often (12h, 7d; 0s: every pull) to "
              "notice deletions")
      .value_name("TIME")
      .show_default();
  command.flag("--reset", options.pull.reset,
               "replace each section by its newest snapshot, even if that is older than the copy");
  command.flag("--repair", options.pull.repair,
               "first read every stored page of the site, and fetch again what cannot be read");
  command
      .option("--report", options.report,
              "write a quality report on all stored pages of each site to FILE, one JSON object per line")
      .value_name("FILE");
  command.flag("--keep-files", options.pull.keep_files, "keep downloaded collections, in STORE/downloads");
  command.flag("--index", options.index, "also update the search index, as `sheaf index` does");
  add_thread_option(command, options.threads, "threads that read collections, extract and pack pages");
  command.flag("--no-pack", options.no_pack, "do not pack new pages; leave that to `sheaf gc`");
  command
      .option("--quota", options.pull.quota,
              "maximum size of the downloaded files of one site, and of the pages of a crawl, e.g. 20GiB")
      .size();
  command
      .option("--max-time", options.max_time,
              "maximum time for one pull of a site (30m, 1d); the next pull continues")
      .value_name("TIME")
      .show_default();
  command.option("--max-pages", options.pull.max_pages, "maximum number of pages of a crawl")
      .within<std::uint64_t>(1, 1'000'000'000)
      .show_default();
}

}  // namespace

void add_pull(const Command& program, Job& job) {
  auto options = std::make_shared<PullCommandOptions>();
  const Command command = program.subcommand("pull", "Keep a local copy of sites");
  command.option("URL", options->urls, "sites, e.g. https://example.com, or one of their sitemaps");
  command
      .option("--store", options->store,
              "folder of the store, created if it does not exist; or postgresql://... for a shared store")
      .value_name("STORE")
      .required();
  command.option("--section", options->pull.sections, "only this section; repeatable").value_name("NAME");
  command
      .option("--also-host", options->also_hosts,
              "also accept pages of this host from the site's collections; repeatable")
      .value_name("HOST");
  command
      .option("--key", options->keys,
              "trust only this key for a site: a minisign public key or its file, or none to forget the "
              "site's key; repeatable")
      .value_name("SITE=KEY");
  command.flag("--require-signatures", options->pull.signing.require,
               "refuse sites that do not sign their collections");
  command.flag("--plan", options->plan, "print what would be fetched, and change nothing");
  command
      .option("--html", options->html,
              "whether to crawl pages one by one: fallback (if there are no collections), never, or only "
              "(ignore collections)")
      .one_of({"fallback", "never", "only"})
      .show_default();
  command
      .option("--links", options->links,
              "which links of crawled pages become blocks: none, content (links that are a paragraph by "
              "themselves), or all (also links inside text)")
      .one_of({"none", "content", "all"})
      .show_default();
  command
      .option("--from-warc", options->from_warc,
              "import the pages in these WARC files (.warc, .warc.gz, .warc.zst; - is standard input) "
              "instead of requesting them; with URL, only pages of these sites")
      .value_name("FILE...");
  command
      .option("--keep-warc", options->keep_warc,
              "also write the requests and responses of crawled pages to WARC files in this folder, up to 1 "
              "GB each")
      .value_name("DIR");
  add_copy_options(command, *options);
  add_network_options(command, *options);
  add_many_options(command, *options);
  add_limit_options(command, options->pull.limits);
  command.flag("--json", options->json, "print one JSON object per pull, one per line");
  command.footer(
      "Example: sheaf pull https://example.com --store copy\n"
      "         sheaf pull https://example.com --store copy --plan\n"
      "         sheaf pull --list sites.txt --every auto --store copy\n"
      "         sheaf pull --from-warc crawl.warc.gz --store copy\n"
      "         sheaf pull --list sites.txt --store postgresql://sheaf@db/copy\n"
      "Proxies are taken from http_proxy, https_proxy and no_proxy.\n"
      "Exit status: 0 every site is up to date, 1 some are not, 2 could not be done.");
  command.on_call([options, command, &job] {
    options->given = command.given();
    job = [options] { return run_pull(*options); };
  });
}

}  // namespace sheaf::cli
