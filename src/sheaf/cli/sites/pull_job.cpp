#include "sheaf/cli/sites/pull_job.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/file.h"
#include "sheaf/cli/options/key_options.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/pull_control.h"
#include "sheaf/cli/sites/pull_index.h"
#include "sheaf/cli/sites/pull_metrics.h"
#include "sheaf/cli/sites/pull_report.h"
#include "sheaf/cli/sites/pull_sites.h"
#include "sheaf/cli/sites/quality_output.h"
#include "sheaf/cli/sites/site_list_file.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/http/server/access_log.h"
#include "sheaf/http/server/server.h"
#include "sheaf/http/signature/web_bot_auth.h"
#include "sheaf/pull/control_client.h"
#include "sheaf/pull/control_server.h"
#include "sheaf/pull/crash_notes.h"
#include "sheaf/pull/cross_submission.h"
#include "sheaf/pull/download_folders.h"
#include "sheaf/pull/fleet.h"
#include "sheaf/pull/site_list.h"
#include "sheaf/store/open/open_store.h"
#include "sheaf/store/shared_stores.h"
#include "sheaf/store/work_share.h"
#include "sheaf/warc/warc_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::cli {
namespace {

constexpr std::chrono::seconds kStartTime{5};  // that another process gets to accept requests, or to end
constexpr std::chrono::milliseconds kBetweenTries{200};
constexpr unsigned kReadingThreads = 3;  // a collection is read in three stages

std::atomic<bool> stop_requested = false;  // set by a signal

void on_signal(int /*number*/) { stop_requested = true; }

/// Returns a function that signs a request to `url`. Each signature is new, and valid for that host only.
auto sign_with(std::shared_ptr<const http::signature::BotIdentityFiles> identity) {
  return [identity = std::move(identity)](const base::Url& url) {
    std::string authority(url.host());
    if (const auto port = url.port()) authority += fmt::format(":{}", *port);
    std::vector<std::pair<std::string, std::string>> headers;
    for (http::message::Header& header : http::signature::sign_request(identity->signer(), identity->agent(),
                                                                       authority, sheaf::now().seconds))
      headers.emplace_back(std::move(header.name), std::move(header.value));
    return headers;
  };
}

/// Pulls named sites one after another, or many sites on their schedule.
class PullJob {
 public:
  explicit PullJob(const PullCommandOptions& options)
      : options_(options), gate_(options.requests.fetch.connections, options.all_connections) {}

  ExitStatus run() {
    const auto done = try_run();
    if (!done) {
      (void)report_failure(done.error());
      return ExitStatus::unknown;
    }
    if (stop_requested)
      print_message(elsewhere_ ? "stopped waiting; the pull continues in the process that holds the store"
                               : "stopped; the next pull continues from here");
    // Without --once, only a signal ends the run, so that counts as success.
    if (stop_requested) return !is_fleet() || is_once() ? ExitStatus::unknown : ExitStatus::yes;
    return *done ? ExitStatus::yes : ExitStatus::no;
  }

 private:
  /// Whether many sites are pulled on their schedule.
  [[nodiscard]] bool is_fleet() const { return !options_.list.empty() || is_worker(options_); }

  /// --plan implies --once.
  [[nodiscard]] bool is_once() const { return options_.once || options_.plan; }

  /// Checks and converts the options that need more than a range or a list of words.
  base::Result<void> parse_options(std::size_t sites) {
    if (!is_fleet())
      for (const auto& [name, values] : options_.given)
        if (name == "--every" || name == "--once" || name == "--sites")
          return base::fail(base::Errc::invalid_argument, fmt::format("{} requires --list", name));
    if (options_.plan && is_worker(options_))
      return base::fail(base::Errc::invalid_argument,
                        "--plan works with sites that you name, not with the list of a shared store");
    if (options_.pull.reset && is_fleet())
      return base::fail(base::Errc::invalid_argument,
                        "--reset works with sites that you name, not with --list");
    SHEAF_TRY_ASSIGN(also_hosts_, choose_also_hosts(options_, sites));
    SHEAF_TRY_ASSIGN(every_, pull::parse_every(options_.every));
    SHEAF_TRY_ASSIGN(const std::int64_t snapshot_every, base::parse_duration(options_.snapshot_every));
    snapshot_every_ = std::chrono::seconds(snapshot_every);
    SHEAF_TRY_ASSIGN(const std::int64_t max_time, base::parse_duration(options_.max_time));
    constexpr std::int64_t kYear = std::int64_t{365} * 86'400;
    if (max_time == 0 || max_time > kYear)
      return base::fail(base::Errc::invalid_argument, "--max-time: give a time from 1s to 365d");
    max_time_ = std::chrono::seconds(max_time);
    if (!options_.identity.empty()) {
      SHEAF_TRY_ASSIGN(auto loaded,
                       http::signature::BotIdentityFiles::load(options_.identity, sheaf::now().seconds));
      identity_ = std::make_shared<const http::signature::BotIdentityFiles>(std::move(loaded));
    }
    for (const std::string& text : options_.keys) {
      SHEAF_TRY_ASSIGN(auto key, parse_given_key(text));
      keys_.push_back(std::move(key));
    }
    if (options_.pull.signing.require && options_.html == "only")
      return base::fail(base::Errc::invalid_argument,
                        "--require-signatures excludes --html only: single pages are not signed");
    SHEAF_TRY_ASSIGN(fetch_, parse_fetch_options(options_.requests));
    return {};
  }

  base::Result<bool> try_run() {
    SHEAF_TRY_ASSIGN(auto sites, choose_sites(options_));
    SHEAF_TRY(check_warc_options(options_));
    SHEAF_TRY(parse_options(sites.size()));
    SHEAF_TRY_ASSIGN(auto sockets, listen_for_monitor());
    if (options_.plan) {
      SHEAF_TRY_ASSIGN(auto scratch, base::ScratchFolder::make("plan"));
      scratch_.emplace(std::move(scratch));
    }
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    SHEAF_TRY(open_report());
    SHEAF_TRY(open_archive());
    prepare();
    if (!options_.from_warc.empty()) return run_warc(sites);
    SHEAF_TRY_ASSIGN(const auto pulled, open_or_ask(sites));
    if (pulled) return *pulled;
    SHEAF_TRY(answer_monitor(std::move(sockets)));
    store::DownloadFolder folder{scratch_ ? scratch_->path() / "downloads" : std::filesystem::path(), {}};
    if (!scratch_) {
      SHEAF_TRY_ASSIGN(folder, store::take_download_folder(options_.store));
    }
    if (!options_.plan) pull::tidy_downloads(folder.path, {});
    SHEAF_TRY_ASSIGN(const bool all_ok,
                     is_fleet() ? run_list(std::move(sites), folder.path) : run_sites(sites, folder.path));
    SHEAF_TRY(report_file_.commit());
    if (archive_) SHEAF_TRY(archive_->finish());
    return all_ok;
  }

  base::Result<bool> run_sites(const std::vector<base::Url>& sites, const std::filesystem::path& downloads) {
    bool all_ok = true;
    pull::CrashNotes crashes(downloads, sheaf::now());
    for (const base::Url& site : sites) {
      if (stop_requested) break;
      pull::CrashNotes::Pull noted(crashes, site);
      SHEAF_TRY_ASSIGN(const auto report,
                       pull::pull_site(*store_, site, pull::folder_of_site(downloads, site), pull_));
      if (!stop_requested) noted.complete();
      // A client that sees the report may use the store, so the pull must be complete by then.
      const auto packed = pack_store();
      print_report(report);
      SHEAF_TRY(packed);
      all_ok = all_ok && report.ok;
    }
    SHEAF_TRY(update_index());
    return all_ok;
  }

  /// Imports the files of --from-warc. Returns true if all of them were read to the end and nothing in them
  /// is damaged.
  base::Result<bool> run_warc(const std::vector<base::Url>& sites) {
    auto opened = open();
    if (!opened && opened.error().code == base::Errc::in_use)
      return std::unexpected(name_store_writer(options_.store, opened.error()));
    if (!opened) return std::unexpected(opened.error());
    store_ = std::move(*opened);
    SHEAF_TRY_ASSIGN(const auto result,
                     import_warc_files(*store_, options_, pull_, sites,
                                       [this](const pull::PullReport& report) { print_report(report); }));
    SHEAF_TRY(pack_store());
    SHEAF_TRY(update_index());
    SHEAF_TRY(report_file_.commit());
    return result.complete && result.counts.faults == 0 && result.counts.unreadable == 0;
  }

  base::Result<void> pack_store() {
    if (pull_.pack_threads == 0 || stop_requested) return {};
    SHEAF_TRY(store_->pack(store::kWorthPacking, pull_.pack_threads, pull::pack_progress(pull_.progress)));
    return {};
  }

  /// Updates the index with --index. After a signal the index stays behind; the next run updates it.
  base::Result<void> update_index() {
    if (!options_.index || options_.plan || stop_requested) return {};
    auto indexed = index_after_pull(*store_, options_.store, progress_, pull_.cancelled);
    return stop_requested ? base::Result<void>() : indexed;
  }

  /// Opens the store and returns nullopt. If another process has it open, asks that process to make the
  /// pulls, and returns whether all of them succeeded. A process that has just started opens the store
  /// shortly before it accepts requests, so this is retried.
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

  /// A plan only reads. So it works even while another process writes, and it does not create a store.
  [[nodiscard]] base::Result<std::unique_ptr<store::PageStore>> open() const {
    if (!scratch_) return open_any_store(options_.store, StoreAccess::write);
    auto store = open_any_store(options_.store, StoreAccess::read);
    if (store || store.error().code != base::Errc::not_found) return store;
    return open_any_store((scratch_->path() / "store").string(), StoreAccess::write);
  }

  /// Returns nullopt if no process accepts requests.
  base::Result<std::optional<bool>> pull_elsewhere(const std::vector<base::Url>& sites) {
    elsewhere_ = true;
    pull::ControlEvents events;
    events.connected = [this, reported = false](int process) mutable {
      if (!std::exchange(reported, true))
        print_message(
            fmt::format("{} is in use by process {}, which makes the pull", options_.store, process));
    };
    events.progress = pull_.progress;
    events.note = [](std::string_view note) { print_message(note); };
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

  /// Accepts requests from other processes while the list is pulled. If that fails, the list is still pulled.
  std::unique_ptr<pull::ControlServer> take_requests(pull::FleetRequests& requests) {
    if (options_.plan || store::is_shared_location(options_.store)) return nullptr;
    auto server = pull::ControlServer::start(options_.store, make_request_handler(requests, options_.given));
    if (server) return std::move(*server);
    print_message(fmt::format("{}; no single site can be pulled while this runs", server.error().message));
    return nullptr;
  }

  base::Result<bool> run_list(std::vector<base::Url> sites, const std::filesystem::path& downloads) {
    pull::FleetJob fleet;
    fleet.pull = pull_;
    fleet.pull.progress = {};  // a single line cannot show many sites
    fleet.every = every_;
    fleet.once = is_once();
    fleet.sites_at_once = options_.sites_at_once;
    fleet.downloads = downloads;
    fleet.on_report = [this](const pull::PullReport& report) { print_report(report); };
    fleet.gauges = &gauges_;
    if (is_worker(options_)) {
      SHEAF_TRY(join_workers(fleet));
    } else if (!is_once() && options_.list != "-") {
      fleet.reread = [this, watch = FileWatch(options_.list)]() mutable { return reread_list(watch); };
    }
    pull::FleetRequests requests;
    fleet.requests = &requests;
    const auto server = take_requests(requests);
    std::optional<IndexUpdater> keeper;
    if (options_.index && !is_once()) keeper.emplace(*store_, options_.store);
    SHEAF_TRY_ASSIGN(const auto summary, pull::pull_many(*store_, std::move(sites), fleet));
    keeper.reset();
    SHEAF_TRY(update_index());
    if (options_.json)
      print_json_line(fleet_as_json(summary));
    else
      print_text("{}\n", describe_fleet(summary));
    return summary.failed == 0;
  }

  /// Adds the list to the store's list, and makes this process one of the workers that share it.
  base::Result<void> join_workers(pull::FleetJob& fleet) {
    if (!options_.list.empty()) {
      SHEAF_TRY_ASSIGN(auto listed, SortedSites::read({}, options_.list));
      SHEAF_TRY_ASSIGN(const auto* const stores, store::shared::shared_stores());
      SHEAF_TRY(stores->add_sites(options_.store, listed_from(listed)));
    }
    fleet.share = store_->work_share();
    return is_once() ? fleet.share->wait_for_part() : base::Result<void>();
  }

  /// Reads the list again if its file has changed. If it cannot be read, the sites stay the same.
  std::optional<std::vector<base::Url>> reread_list(FileWatch& watch) {
    if (!watch.has_changed()) return std::nullopt;
    auto sites = choose_sites(options_);
    if (sites) {
      print_message(fmt::format("{} has changed: it now lists {}", options_.list,
                                counted(sites->size(), "site", "sites")));
      return std::move(*sites);
    }
    print_message(fmt::format("{}; the sites are unchanged", sites.error().message));
    return std::nullopt;
  }

  void show_progress(const pull::PullProgress& progress) {
    const bool by_page = progress.what == "pages";
    std::string label(by_page ? "fetch" : progress.what);
    if (!progress.name.empty()) label += fmt::format(" {}", progress.name);
    progress_.update_stage(label, by_page ? progress.pages : progress.bytes, progress.total,
                           by_page ? Progress::Unit::pages : Progress::Unit::bytes);
  }

  /// Opens the file of --report, to which each site adds a line.
  base::Result<void> open_report() {
    if (options_.report.empty()) return {};
    if (options_.plan)
      return base::fail(base::Errc::invalid_argument, "--report works with a pull, not with --plan");
    if (!options_.list.empty() && !options_.once)
      return base::fail(base::Errc::invalid_argument,
                        "--report with --list needs --once: the file is complete when the run ends");
    return report_file_.open(options_.report);
  }

  /// Opens the folder of --keep-warc.
  base::Result<void> open_archive() {
    if (options_.keep_warc.empty()) return {};
    if (options_.plan)
      return base::fail(base::Errc::invalid_argument, "--keep-warc works with a pull, not with --plan");
    SHEAF_TRY_ASSIGN(archive_, warc::WarcFolder::open(options_.keep_warc, "sheaf/" SHEAF_VERSION));
    return {};
  }

  base::Result<void> add_report(std::string_view site, const quality::QualityReport& report) {
    const std::lock_guard lock(report_mutex_);
    return report_file_.add(report, site);
  }

  void prepare() {
    pull_ = options_.pull;
    pull_.threads = std::min(options_.threads, kReadingThreads);
    pull_.pack_threads = options_.no_pack || options_.plan ? 0 : options_.threads;
    pull_.also_hosts = also_hosts_;
    pull_.signing.keys = keys_;
    pull_.fetch = fetch_;
    if (identity_) pull_.fetch.sign = sign_with(identity_);
    pull_.snapshot_every = snapshot_every_;
    pull_.time_limit = max_time_;
    pull_.fetch.gate = &gate_;
    pull_.fetch.cancelled = [] { return stop_requested.load(); };
    pull_.cancelled = pull_.fetch.cancelled;
    pull_.shrink = options_.allow_shrink ? format::Shrink::allow : format::Shrink::refuse;
    pull_.plan_only = options_.plan;
    pull_.html = html_choice(options_.html).value_or(FetchPages::fallback);
    pull_.crawl.links = extract::find_link_blocks(options_.links).value_or(pull_.crawl.links);
    pull_.page_recorder = archive_.get();
    pull_.progress = [this](const pull::PullProgress& progress) { show_progress(progress); };
    if (report_file_.is_wanted())
      pull_.on_quality = [this](std::string_view site, const quality::QualityReport& report) {
        return add_report(site, report);
      };
  }

  /// Called before the store is opened, so that a bad address does not leave an empty store behind.
  [[nodiscard]] base::Result<std::vector<base::FileDescriptor>> listen_for_monitor() const {
    if (options_.metrics.empty()) return {};
    return http::server::listen_on(options_.metrics);
  }

  /// Returns metrics of all workers of a shared store; empty if they cannot be read at the moment.
  [[nodiscard]] std::string whole_fleet_text() const {
    if (!store::is_shared_location(options_.store)) return {};
    const auto stores = store::shared::shared_stores();
    if (!stores) return {};
    const auto workers = (*stores)->workers(options_.store);
    return workers ? worker_metrics_text(*workers) : std::string();
  }

  base::Result<void> answer_monitor(std::vector<base::FileDescriptor> sockets) {
    if (sockets.empty()) return {};
    page_ = std::make_unique<MetricsPage>([this] {
      return pull_metrics_.text() + store_metrics_text(*store_) +
             (is_fleet() ? fleet_metrics_text(gauges_) : "") + whole_fleet_text();
    });
    SHEAF_TRY_ASSIGN(server_, http::server::Server::start(std::move(sockets), *page_, metrics_of_metrics_,
                                                          MetricsPage::server_options()));
    return {};
  }

  void print_report(const pull::PullReport& report) try {
    pull_metrics_.count(report);
    progress_.clear();
    if (options_.json)
      print_json_line(pull_as_json(report));
    else
      print_text("{}", describe_pull(report, options_.plan));
    std::fflush(stdout);
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
    // Pulling continues without standard output; the exit status reports that something is missing.
  }

  const PullCommandOptions& options_;
  http::fetch::HostGate gate_;
  http::fetch::FetchOptions fetch_;
  std::unique_ptr<warc::WarcFolder> archive_;  ///< the folder of --keep-warc; outlives the requests
  ReportFile report_file_;
  std::mutex report_mutex_;                     ///< for `report_file_`: sites of a list end in any order
  std::optional<base::ScratchFolder> scratch_;  ///< for the temporary files of a plan
  std::unique_ptr<store::PageStore> store_;     ///< outlives the server that reports its size
  pull::SitePullOptions pull_;
  std::vector<std::string> also_hosts_;
  std::vector<pull::GivenKey> keys_;
  std::shared_ptr<const http::signature::BotIdentityFiles> identity_;
  pull::Every every_;
  std::chrono::seconds snapshot_every_{0};
  std::chrono::seconds max_time_{0};
  Progress progress_{"pull", std::nullopt};
  PullMetrics pull_metrics_;
  pull::FleetGauges gauges_;
  bool elsewhere_ = false;  ///< another process does the pulls
  http::server::Metrics metrics_of_metrics_;
  std::unique_ptr<MetricsPage> page_;
  std::unique_ptr<http::server::Server> server_;
};

}  // namespace

ExitStatus run_pull(const PullCommandOptions& options) { return PullJob(options).run(); }

}  // namespace sheaf::cli
