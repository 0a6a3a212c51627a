#include "sheaf/base/scratch_folder.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/commands/pull_control.h"
#include "sheaf/cli/commands/pull_index.h"
#include "sheaf/cli/options/limit_options.h"
#include "sheaf/cli/options/site_list_file.h"
#include "sheaf/cli/output/metrics_page.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/pull_metrics.h"
#include "sheaf/cli/output/pull_report.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/http/server/listen_socket.h"
#include "sheaf/http/server/metrics.h"
#include "sheaf/http/server/server.h"
#include "sheaf/pull/control_client.h"
#include "sheaf/pull/control_server.h"
#include "sheaf/pull/cross_submission.h"
#include "sheaf/pull/download_folders.h"
#include "sheaf/pull/fleet.h"
#include "sheaf/pull/site_list.h"
#include "sheaf/site/robots.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::cli {
namespace {

struct Options {
  std::vector<std::string> urls;
  std::string store;
  std::string list;
  std::string every = "auto";
  std::string snapshot_every = "7d";
  bool once = false;
  bool plan = false;
  bool json = false;
  std::string html = "fallback";
  std::string links = "content";
  double delay = 0.5;
  std::string metrics;
  unsigned sites_at_once = 16;
  unsigned connections = 2;
  unsigned all_connections = 64;
  unsigned timeout = 30;
  unsigned tries = 6;
  bool allow_private = false;
  std::vector<std::string> also_hosts;
  bool allow_shrink = false;
  bool no_pack = false;
  bool index = false;
  std::vector<std::string> resolve;
  pull::PullOptions pull;
  Command::Given given;  ///< all of them, as they were typed
};

constexpr std::chrono::seconds kStartTime{5};  // for another process to take requests or to end
constexpr std::chrono::milliseconds kBetweenTries{200};

std::atomic<bool> stop_requested = false;  // set by a signal

void on_signal(int /*number*/) { stop_requested = true; }

base::Result<std::vector<base::Url>> choose_sites(const Options& options) {
  std::vector<base::Url> sites;
  for (const std::string& text : options.urls) {
    SHEAF_TRY_ASSIGN(auto site, pull::parse_site_address(text));
    sites.push_back(std::move(site));
  }
  if (!options.list.empty()) {
    SHEAF_TRY_ASSIGN(auto listed, read_site_list(options.list));
    std::ranges::move(listed, std::back_inserter(sites));
  }
  if (sites.empty() && !options.list.empty())
    return base::fail(base::Errc::invalid_argument, fmt::format("{} names no site", options.list));
  if (sites.empty())
    return base::fail(base::Errc::invalid_argument,
                      "name a site, as https://example.com, or a --list of them");
  std::set<std::string> seen;
  std::erase_if(sites, [&](const base::Url& site) { return !seen.insert(site.origin()).second; });
  return sites;
}

/// Another host's pages are one site's business: with several sites, each of them could supply them.
base::Result<std::vector<std::string>> choose_also_hosts(const Options& options, std::size_t sites) {
  if (!options.also_hosts.empty() && (sites != 1 || !options.list.empty()))
    return base::fail(base::Errc::invalid_argument,
                      "--also-host works with one site: name only that site, without --list");
  std::vector<std::string> hosts;
  for (const std::string& text : options.also_hosts) {
    SHEAF_TRY_ASSIGN(std::string host, pull::parse_also_host(text));
    hosts.push_back(std::move(host));
  }
  return hosts;
}

/// One pull after the other, or many by their schedule.
class PullJob {
 public:
  explicit PullJob(const Options& options)
      : options_(options), gate_(options.connections, options.all_connections) {}

  ExitStatus run() {
    const auto done = try_run();
    if (!done) {
      (void)report_failure(done.error());
      return ExitStatus::unknown;
    }
    if (stop_requested)
      complain(elsewhere_ ? "stopped waiting; the pull continues in the process that holds the store"
                          : "stopped; the next pull continues from here");
    // Who pulls until told to stop, and is told so, has done all there was to do.
    if (stop_requested) return options_.list.empty() || is_once() ? ExitStatus::unknown : ExitStatus::yes;
    return *done ? ExitStatus::yes : ExitStatus::no;
  }

 private:
  /// A plan is made once, whatever else is asked for.
  [[nodiscard]] bool is_once() const { return options_.once || options_.plan; }

  base::Result<bool> try_run() {
    SHEAF_TRY_ASSIGN(const auto sites, choose_sites(options_));
    if (options_.pull.reset && !options_.list.empty())
      return base::fail(base::Errc::invalid_argument,
                        "--reset works with sites that you name, not with --list");
    SHEAF_TRY_ASSIGN(const auto also_hosts, choose_also_hosts(options_, sites.size()));
    SHEAF_TRY_ASSIGN(const pull::Every every, pull::parse_every(options_.every));
    SHEAF_TRY_ASSIGN(const std::int64_t snapshot_every, pull::parse_duration(options_.snapshot_every));
    snapshot_every_ = std::chrono::seconds(snapshot_every);
    for (const std::string& text : options_.resolve) {
      SHEAF_TRY_ASSIGN(auto parsed, http::fetch::parse_host_override(text));
      overrides_.push_back(std::move(parsed));
    }
    if (site::product_token(options_.pull.fetch.user_agent).empty())
      return base::fail(base::Errc::invalid_argument,
                        "--user-agent must begin with a name, as ExampleBot/1.0 (+https://example.com/bot)");
    SHEAF_TRY_ASSIGN(auto sockets, listen_for_monitor());
    if (options_.plan) {
      SHEAF_TRY_ASSIGN(auto scratch, base::ScratchFolder::make("plan"));
      scratch_.emplace(std::move(scratch));
    }
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    prepare();
    SHEAF_TRY_ASSIGN(const auto pulled, open_or_ask(sites));
    if (pulled) return *pulled;
    store::PageStore& store = *store_;
    SHEAF_TRY(answer_monitor(std::move(sockets)));
    pull_.also_hosts = also_hosts;
    const std::filesystem::path downloads =
        (scratch_ ? scratch_->path() : std::filesystem::path(options_.store)) / "downloads";
    if (!options_.plan) pull::tidy_downloads(downloads, {});
    if (!options_.list.empty()) return run_list(store, sites, every, downloads);
    bool all_ok = true;
    for (const base::Url& site : sites) {
      if (stop_requested) break;
      SHEAF_TRY_ASSIGN(const auto report,
                       pull::pull_site(store, site, pull::folder_of_site(downloads, site), pull_));
      tell(report);
      all_ok = all_ok && report.ok;
    }
    if (!options_.no_pack && !options_.plan && !stop_requested)
      SHEAF_TRY(store.pack(store::kWorthPacking, pull::pack_progress(pull_.progress)));
    SHEAF_TRY(update_index());
    return all_ok;
  }

  /// Opens the store. Where another process holds it, that one makes the pulls: whether all of them
  /// succeeded. A process that has just started holds the store a moment before it takes requests.
  base::Result<std::optional<bool>> open_or_ask(const std::vector<base::Url>& sites) {
    const auto deadline = std::chrono::steady_clock::now() + kStartTime;
    while (true) {
      auto opened = open();
      if (opened) store_ = std::move(*opened);
      if (opened) return std::nullopt;
      if (opened.error().code != base::Errc::in_use || options_.plan) return std::unexpected(opened.error());
      if (!options_.list.empty()) return std::unexpected(name_store_writer(options_.store, opened.error()));
      SHEAF_TRY_ASSIGN(const auto all_ok, pull_elsewhere(sites));
      if (all_ok) return all_ok;
      if (stop_requested || std::chrono::steady_clock::now() > deadline)
        return std::unexpected(name_store_writer(options_.store, opened.error()));
      std::this_thread::sleep_for(kBetweenTries);
    }
  }

  /// A plan only reads, also beside somebody who writes, and makes no store where there is none.
  [[nodiscard]] base::Result<std::unique_ptr<store::PageStore>> open() const {
    if (!scratch_) return store::open_store(options_.store, store::Access::write);
    auto store = store::open_store(options_.store, store::Access::read);
    if (store || store.error().code != base::Errc::not_found) return store;
    return store::open_store((scratch_->path() / "store").string(), store::Access::write);
  }

  /// Nothing when no process takes requests.
  base::Result<std::optional<bool>> pull_elsewhere(const std::vector<base::Url>& sites) {
    elsewhere_ = true;
    pull::ControlEvents events;
    events.connected = [this, told = false](int process) mutable {
      if (!std::exchange(told, true))
        complain(fmt::format("{} is in use by process {}, which makes the pull", options_.store, process));
    };
    events.progress = pull_.progress;
    events.note = [](std::string_view note) { complain(note); };
    events.stopped = pull_.cancelled;
    bool all_ok = true;
    for (const base::Url& site : sites) {
      const auto report = pull::ask_for_pull(
          options_.store, make_pull_request(std::string(site.href()), options_.given), events);
      if (stop_requested) return false;
      if (!report && report.error().code == base::Errc::not_found && &site == &sites.front()) {
        elsewhere_ = false;
        return std::nullopt;
      }
      if (!report) return std::unexpected(report.error());
      progress_.clear();
      if (options_.json)
        write_json(report->text);
      else
        print_text("{}", report->text);
      std::fflush(stdout);
      all_ok = all_ok && report->ok;
    }
    return all_ok;
  }

  /// Others may ask for pulls while the list is worked on. Where that cannot be, the list goes first.
  std::unique_ptr<pull::ControlServer> take_requests(pull::FleetRequests& requests) {
    if (options_.plan) return nullptr;
    auto server = pull::ControlServer::start(options_.store, make_request_handler(requests, options_.given));
    if (server) return std::move(*server);
    complain(fmt::format("{}; no single site can be pulled while this runs", server.error().message));
    return nullptr;
  }

  base::Result<bool> run_list(store::PageStore& store, const std::vector<base::Url>& sites,
                              const pull::Every& every, const std::filesystem::path& downloads) {
    pull::FleetOptions fleet;
    fleet.pull = pull_;
    fleet.pull.progress = {};  // one line for many sites would tell nothing
    fleet.every = every;
    fleet.once = is_once();
    fleet.pack = !options_.no_pack && !options_.plan;
    fleet.sites_at_once = options_.sites_at_once;
    fleet.downloads = downloads;
    fleet.on_report = [this](const pull::PullReport& report) { tell(report); };
    fleet.gauges = &gauges_;
    if (!is_once() && options_.list != "-")
      fleet.reread = [this, watch = FileWatch(options_.list)]() mutable { return reread_list(watch); };
    pull::FleetRequests requests;
    fleet.requests = &requests;
    const auto server = take_requests(requests);
    std::optional<IndexKeeper> keeper;
    if (options_.index && !is_once()) keeper.emplace(store, options_.store);
    SHEAF_TRY_ASSIGN(const auto summary, pull::pull_many(store, sites, fleet));
    keeper.reset();
    SHEAF_TRY(update_index());
    if (options_.json)
      print_json_line(fleet_as_json(summary));
    else
      print_text("{}\n", describe_fleet(summary));
    return summary.failed == 0;
  }

  /// With --index. After a signal the index stays behind, and the next run brings it up to date.
  base::Result<void> update_index() {
    if (!options_.index || options_.plan || stop_requested) return {};
    auto indexed = index_after_pull(*store_, options_.store, progress_, pull_.cancelled);
    return stop_requested ? base::Result<void>() : indexed;
  }

  /// A list that cannot be read leaves the sites as they were.
  std::optional<std::vector<base::Url>> reread_list(FileWatch& watch) {
    if (!watch.has_changed()) return std::nullopt;
    auto sites = choose_sites(options_);
    if (sites) {
      complain(fmt::format("{} has changed: it now lists {}", options_.list,
                           counted(sites->size(), "site", "sites")));
      return std::move(*sites);
    }
    complain(fmt::format("{}; the sites are unchanged", sites.error().message));
    return std::nullopt;
  }

  void show_progress(const pull::PullProgress& progress) {
    const bool by_page = progress.what == "pages";
    std::string label(by_page ? "fetch" : progress.what);
    if (!progress.name.empty()) label += fmt::format(" {}", progress.name);
    progress_.update_stage(label, by_page ? progress.pages : progress.bytes, progress.total,
                           by_page ? Progress::Unit::pages : Progress::Unit::bytes);
  }

  void prepare() {
    pull_ = options_.pull;
    pull_.snapshot_every = snapshot_every_;
    pull_.fetch.gate = &gate_;
    pull_.fetch.overrides = overrides_;
    pull_.fetch.allow_private = options_.allow_private;
    pull_.fetch.allow_downgrade = pull_.allow_http;
    pull_.fetch.retry.tries = options_.tries;
    pull_.fetch.stall_timeout = std::chrono::seconds(options_.timeout);
    pull_.fetch.pace.grace = 2 * pull_.fetch.stall_timeout;
    pull_.fetch.connect_timeout = std::min(pull_.fetch.connect_timeout, pull_.fetch.stall_timeout);
    pull_.fetch.cancelled = [] { return stop_requested.load(); };
    pull_.cancelled = pull_.fetch.cancelled;
    pull_.shrink = options_.allow_shrink ? format::Shrink::allow : format::Shrink::refuse;
    pull_.plan_only = options_.plan;
    pull_.html = html_choice(options_.html).value_or(pull::HtmlFallback::when_needed);
    pull_.crawl.delay = std::chrono::milliseconds(static_cast<std::int64_t>(options_.delay * 1000));
    pull_.crawl.connections = options_.connections;
    pull_.crawl.links = extract::find_link_blocks(options_.links).value_or(pull_.crawl.links);
    pull_.progress = [this](const pull::PullProgress& progress) { show_progress(progress); };
  }

  /// Before the store is opened: a bad address must not leave an empty store behind.
  [[nodiscard]] base::Result<std::vector<base::FileDescriptor>> listen_for_monitor() const {
    if (options_.metrics.empty()) return {};
    return http::server::listen_on(options_.metrics);
  }

  base::Result<void> answer_monitor(std::vector<base::FileDescriptor> sockets) {
    if (sockets.empty()) return {};
    page_ = std::make_unique<MetricsPage>([this] {
      return pull_metrics_.text() + store_metrics_text(*store_) +
             (options_.list.empty() ? "" : fleet_metrics_text(gauges_));
    });
    SHEAF_TRY_ASSIGN(server_, http::server::Server::start(std::move(sockets), *page_, metrics_of_metrics_,
                                                          MetricsPage::server_options()));
    return {};
  }

  void tell(const pull::PullReport& report) {
    pull_metrics_.count(report);
    progress_.clear();
    if (options_.json)
      print_json_line(pull_as_json(report));
    else
      print_text("{}", describe_pull(report, options_.plan));
    std::fflush(stdout);
  }

  const Options& options_;
  http::fetch::HostGate gate_;
  std::vector<http::fetch::HostOverride> overrides_;
  std::optional<base::ScratchFolder> scratch_;  ///< for what a plan has to write down
  std::unique_ptr<store::PageStore> store_;     ///< outlives the server that reports its size
  pull::PullOptions pull_;
  std::chrono::seconds snapshot_every_{0};
  Progress progress_{"pull", std::nullopt};
  PullMetrics pull_metrics_;
  pull::FleetGauges gauges_;
  bool elsewhere_ = false;  ///< another process makes the pulls
  http::server::Metrics metrics_of_metrics_;
  std::unique_ptr<MetricsPage> page_;
  std::unique_ptr<http::server::Server> server_;
};

void add_network_options(const Command& command, Options& options) {
  http::fetch::FetchOptions& fetch = options.pull.fetch;
  command.option("--user-agent", fetch.user_agent, "name of the crawler, also for robots.txt")
      .value_name("NAME")
      .show_default();
  command.option("--from", fetch.from, "contact address, sent as the From header").value_name("MAIL");
  command.option("--connections", options.connections, "parallel requests to one host")
      .within(1U, 256U)
      .show_default();
  command.option("--all-connections", options.all_connections, "parallel requests in total")
      .within(1U, 10'000U)
      .show_default();
  command
      .option("--delay", options.delay, "seconds between two pages of a crawl; robots.txt may ask for more")
      .value_name("SECONDS")
      .within(0.0, 3600.0)
      .show_default();
  command
      .option("--timeout", options.timeout,
              "seconds to connect, and to wait for a response that arrives at less than 1 KiB/s")
      .value_name("SECONDS")
      .within(1U, 3600U)
      .show_default();
  command
      .option(
          "--min-rate", fetch.pace.minimum_rate,
          "bytes per second that every transfer must reach on average, after twice the --timeout, e.g. 4KiB")
      .size();
  command.option("--tries", options.tries, "tries of a request that may succeed later")
      .within(1U, 100U)
      .show_default();
  command.option("--ca-file", fetch.authorities, "certificates to trust instead of the system's")
      .value_name("FILE");
  command.flag("--allow-http", options.pull.allow_http,
               "accept collections, sitemaps and pages over http from a site that has https");
  command
      .option("--resolve", options.resolve,
              "connect to ADDRESS:PORT for this host; http://ADDRESS:PORT without TLS; repeatable")
      .value_name("HOST=ADDRESS:PORT");
  command.flag("--allow-private", options.allow_private,
               "also connect to this machine and to private networks");
}

void add_many_options(const Command& command, Options& options) {
  const Option list =
      command.option("--list", options.list, "file with one site per line; each is pulled when it is due")
          .value_name("FILE");
  command
      .option("--every", options.every, "how often a site is pulled: 30m, 1d, or auto (as each site states)")
      .value_name("TIME")
      .needs(list)
      .show_default();
  command.flag("--once", options.once, "pull what is due and exit, for cron").needs(list);
  command.option("--sites", options.sites_at_once, "parallel sites")
      .needs(list)
      .within(1U, 1000U)
      .show_default();
  command.option("--metrics", options.metrics, "address for /metrics in Prometheus format")
      .value_name("ADDRESS");
}

}  // namespace

void add_pull(const Command& program, Job& job) {
  auto options = std::make_shared<Options>();
  options->pull.fetch.user_agent = "sheaf/" SHEAF_VERSION;
  options->pull.threads = std::clamp(std::thread::hardware_concurrency(), 1U, 3U);
  const Command command = program.subcommand("pull", "Keep a local copy of sites");
  command.option("URL", options->urls, "sites, as https://example.com, or one of their sitemaps");
  command.option("--store", options->store, "folder of the store; created if it does not exist")
      .value_name("DIR")
      .required();
  command.option("--section", options->pull.sections, "only this section; repeatable").value_name("NAME");
  command
      .option("--also-host", options->also_hosts,
              "also accept pages of this host from the site's collections; repeatable")
      .value_name("HOST");
  command.flag("--plan", options->plan, "print what would be fetched, and change nothing");
  command
      .option("--html", options->html,
              "fetch pages one by one: fallback (if there are no collections), never, only")
      .one_of({"fallback", "never", "only"})
      .show_default();
  command
      .option("--links", options->links,
              "which links of crawled pages become blocks: none; content: links that are their own "
              "paragraph; all: also links inside text")
      .one_of({"none", "content", "all"})
      .show_default();
  command.flag("--allow-shrink", options->allow_shrink, "allow a site to remove more than half of a section");
  command
      .option("--snapshot-every", options->snapshot_every,
              "if no state digest proves the copy, fetch a snapshot this often (12h, 7d; 0s: every pull) to "
              "notice deletions")
      .value_name("TIME")
      .show_default();
  command.flag("--reset", options->pull.reset,
               "replace each section by its newest snapshot, even if that is older than the copy");
  command.flag("--repair", options->pull.repair,
               "first read every stored page of the site, and fetch again what cannot be read");
  command.flag("--keep-files", options->pull.keep_files, "keep downloaded collections in DIR/downloads");
  command.flag("--index", options->index, "also update the search index, as `sheaf index` does");
  command.flag("--no-pack", options->no_pack, "do not pack the store afterwards; leave that to `sheaf gc`");
  command
      .option("--quota", options->pull.quota, "maximum size of the downloaded files of one site, e.g. 20GiB")
      .size();
  command.option("--max-pages", options->pull.crawl.max_pages, "maximum number of pages of a crawl")
      .within<std::uint64_t>(1, 1'000'000'000)
      .show_default();
  add_network_options(command, *options);
  add_many_options(command, *options);
  add_limit_options(command, options->pull.limits);
  command.flag("--json", options->json, "print one JSON object per pull, one per line");
  command.footer(
      "Example: sheaf pull https://example.com --store copy\n"
      "         sheaf pull https://example.com --store copy --plan\n"
      "         sheaf pull --list sites.txt --every auto --store copy\n"
      "Proxies are taken from http_proxy, https_proxy and no_proxy.\n"
      "Exit status: 0 every site is up to date, 1 some are not, 2 could not be done.");
  command.on_call([options, command, &job] {
    options->given = command.given();
    job = [options] { return PullJob(*options).run(); };
  });
}

}  // namespace sheaf::cli
