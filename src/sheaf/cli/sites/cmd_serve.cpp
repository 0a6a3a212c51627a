#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/pull_metrics.h"
#include "sheaf/cli/sites/service.h"
#include "sheaf/http/server/server.h"
#include "sheaf/serve/agent_handler.h"
#include "sheaf/serve/file_handler.h"
#include "sheaf/serve/start_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

using std::chrono::milliseconds;

/// What `sheaf serve` prints when it starts. `addresses` and `user` may be empty.
std::string describe_serving(const std::string& folder, const std::vector<std::string>& addresses,
                             const std::string& user, const serve::StartReport& report) {
  std::string out;
  const auto append = std::back_inserter(out);
  fmt::format_to(append, "{}: {}, {} of them {}, {}\n", printable(folder, Lines::join),
                 counted(report.files, "file", "files"), human_count(report.collections),
                 report.collections == 1 ? "a collection" : "collections", human_size(report.bytes));
  for (const auto& section : report.sections)
    fmt::format_to(append, "  section {} ({}): {}, {}, {}\n", printable(section.name, Lines::join),
                   section.update_freq ? site::to_string(*section.update_freq) : "no updateFreq",
                   counted(section.snapshots, "snapshot", "snapshots"),
                   counted(section.deltas, "delta", "deltas"), human_size(section.bytes));
  for (const std::string& problem : report.problems)
    fmt::format_to(append, "  {} {}\n", coloured(Colour::yellow, "!"), printable(problem, Lines::join));
  for (const std::string& address : addresses)
    fmt::format_to(append, "{}\n", coloured(Colour::bold, address));
  if (!user.empty()) fmt::format_to(append, "as user {}\n", user);
  return out;
}

/// The same for programs: one JSON object.
std::string serving_as_json(const std::string& folder, const serve::StartReport& report) {
  JsonOutput out;
  out.begin_report()
      .string("folder", folder)
      .number("files", report.files)
      .number("collections", report.collections)
      .number("bytes", report.bytes)
      .begin_array("sections");
  for (const auto& section : report.sections) {
    out.begin_object().string("name", section.name);
    if (section.update_freq)
      out.string("updateFreq", site::to_string(*section.update_freq));
    else
      out.null("updateFreq");
    out.number("snapshots", section.snapshots)
        .number("deltas", section.deltas)
        .number("bytes", section.bytes)
        .end_object();
  }
  out.end_array().begin_array("problems");
  for (const std::string& problem : report.problems) out.element(problem);
  out.end_array().end_object();
  return out.text();
}

constexpr std::size_t kDefaultConnections = 10'000;
constexpr std::size_t kFewConnections = 1'000;

struct ServeOptions {
  std::string folder;
  std::string below = "/";
  std::vector<std::string> listen;
  std::string metrics;
  std::string certificate;
  std::string key;
  double rate = 0;
  double burst = 0;
  std::size_t connections = kDefaultConnections;
  std::size_t connections_per_client = 0;
  std::uint64_t bandwidth = 0;
  double timeout = 60;
  double grace = 60;
  std::vector<std::string> proxies;
  std::string access_log;
  std::string log_format = "combined";
  unsigned threads = 0;
  std::string user;
  std::string identity;
  bool verify_agents = false;
  bool allow_private = false;
  bool check = false;
  bool json = false;
};

milliseconds seconds_to_ms(double seconds) {
  return milliseconds(static_cast<std::int64_t>(seconds * 1'000));
}

std::int64_t unix_now() { return static_cast<std::int64_t>(std::time(nullptr)); }

/// Prints a line for the operator. Several threads do so, therefore only whole lines are printed.
void log_line(const std::string& message) { print_message(message); }

/// Blocks the signals that Service::run() waits for, in this thread and so in all threads that it starts.
sigset_t block_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return set;
}

/// Everything that runs. Members are destroyed from last to first: each may use those declared before it.
class Service {
 public:
  explicit Service(const ServeOptions& options) : options_(options) {}

  base::Result<void> start();
  ExitStatus run(const sigset_t& signals);

 private:
  using Sockets = std::vector<base::FileDescriptor>;

  base::Result<Sockets> open_sockets(Sockets passed, const std::vector<std::string>& addresses,
                                     std::string_view scheme);
  base::Result<http::server::ServerOptions> server_options();
  base::Result<void> open_folder();
  base::Result<void> start_metrics(Sockets sockets);
  void print_report(const std::string& text) const;
  void reload();
  void reload_certificate();
  void reopen_log();
  ExitStatus stop(const sigset_t& signals);

  const ServeOptions& options_;
  http::server::Metrics metrics_;
  http::server::Metrics metrics_of_metrics_;
  std::unique_ptr<http::server::AccessLog> access_log_;
  std::unique_ptr<serve::FileHandler> site_;
  std::optional<http::signature::BotIdentityFiles> identity_;
  std::unique_ptr<serve::AgentHandler> agents_;  ///< wraps the site
  std::unique_ptr<MetricsPage> metrics_page_;
  std::unique_ptr<http::server::Server> metrics_server_;
  std::unique_ptr<http::server::Server> server_;
  std::vector<std::string> addresses_;
  std::string user_;
  std::size_t most_kept_ = serve::FileHandler::kMaxKept;
};

base::Result<Service::Sockets> Service::open_sockets(Sockets passed,
                                                     const std::vector<std::string>& addresses,
                                                     std::string_view scheme) {
  Sockets sockets = std::move(passed);
  // Sockets passed by the service manager replace the default address; addresses given as options are added.
  for (const std::string& address : addresses) {
    SHEAF_TRY_ASSIGN(auto opened, http::server::listen_on(address));
    for (auto& socket : opened) sockets.push_back(std::move(socket));
  }
  for (const auto& socket : sockets)
    addresses_.push_back(fmt::format("{}://{}", scheme, http::server::describe_listener(socket.get())));
  return sockets;
}

base::Result<http::server::ServerOptions> Service::server_options() {
  http::server::ServerOptions server;
  const std::size_t descriptors = raise_descriptor_limit();
  const DescriptorShares shares = share_descriptors(descriptors, serve::FileHandler::kMaxKept);
  // Do not warn if the limit is only slightly below the default.
  const bool few = options_.connections != kDefaultConnections || shares.connections < kFewConnections;
  if (few && shares.connections < options_.connections)
    log_line(fmt::format("only {} into the limit of {} (ulimit -n)",
                         counted(shares.connections, "connection fits", "connections fit"),
                         counted(descriptors, "open file", "open files")));
  server.most_connections = std::min(options_.connections, shares.connections);
  most_kept_ = shares.files;
  server.most_connections_per_client = options_.connections_per_client;
  server.timeout = seconds_to_ms(options_.timeout);
  server.bandwidth = options_.bandwidth;
  server.threads = options_.threads;
  server.rate = {.requests_per_second = options_.rate,
                 .burst = options_.burst > 0 ? options_.burst : std::max(1.0, options_.rate)};
  for (const std::string& text : options_.proxies) {
    SHEAF_TRY_ASSIGN(const auto network, http::message::Network::parse(text));
    server.trusted_proxies.push_back(network);
  }
  if (!options_.certificate.empty()) {
    SHEAF_TRY_ASSIGN(server.tls,
                     http::server::load_tls_files(options_.certificate, options_.key, unix_now()));
  }
  server.access_log = access_log_.get();
  server.log = log_line;
  return server;
}

base::Result<void> Service::open_folder() {
  auto folder = serve::Folder::open(options_.folder, options_.below);
  if (!folder && !user_.empty())
    return base::fail(folder.error().code,
                      fmt::format("{} (as user {}; --user names another)", folder.error().message, user_));
  if (!folder) return std::unexpected(folder.error());
  auto notices = serve::read_notices(*folder);
  print_report(
      describe_serving(options_.folder, addresses_, user_, serve::report_on(*folder, notices, sheaf::now())));
  site_ = std::make_unique<serve::FileHandler>(std::move(*folder), std::move(notices), log_line, most_kept_);
  return {};
}

void Service::print_report(const std::string& text) const {
  // If the access log goes to standard output, nothing else may be printed there, because a program reads it.
  std::FILE* out = options_.access_log == "-" ? stderr : stdout;
  write_text(out, text);
  std::fflush(out);
}

base::Result<void> Service::start_metrics(Sockets sockets) {
  if (sockets.empty()) return {};
  metrics_page_ = std::make_unique<MetricsPage>([this] { return metrics_.prometheus_text(); });
  http::server::ServerOptions small = MetricsPage::server_options();
  small.log = log_line;
  SHEAF_TRY_ASSIGN(metrics_server_, http::server::Server::start(std::move(sockets), *metrics_page_,
                                                                metrics_of_metrics_, std::move(small)));
  return {};
}

base::Result<void> Service::start() {
  SHEAF_TRY_ASSIGN(auto passed, take_passed_sockets());
  auto listen = options_.listen;
  if (listen.empty() && passed.serving.empty()) listen.emplace_back("127.0.0.1:8080");
  std::vector<std::string> metrics;
  if (!options_.metrics.empty()) metrics.push_back(options_.metrics);
  // This needs root, so it is done before privileges are dropped: ports below 1024, the key, the log.
  SHEAF_TRY_ASSIGN(auto sockets, open_sockets(std::move(passed.serving), listen,
                                              options_.certificate.empty() ? "http" : "https"));
  SHEAF_TRY_ASSIGN(auto metrics_sockets, open_sockets(std::move(passed.metrics), metrics, "metrics on http"));
  if (!options_.access_log.empty()) {
    const auto format = options_.log_format == "json" ? http::server::AccessLogFormat::json
                                                      : http::server::AccessLogFormat::combined;
    SHEAF_TRY_ASSIGN(access_log_, http::server::AccessLog::open(options_.access_log, format));
  }
  SHEAF_TRY_ASSIGN(auto server, server_options());
  if (!options_.identity.empty()) {
    SHEAF_TRY_ASSIGN(identity_, http::signature::BotIdentityFiles::load(options_.identity, unix_now()));
  }
  SHEAF_TRY_ASSIGN(user_, drop_privileges(options_.user));
  SHEAF_TRY(open_folder());
  SHEAF_TRY(start_metrics(std::move(metrics_sockets)));
  agents_ = std::make_unique<serve::AgentHandler>(
      *site_,
      options_.verify_agents ? serve::make_agent_keys({.allow_private = options_.allow_private}) : nullptr,
      std::move(identity_), unix_now);
  SHEAF_TRY_ASSIGN(server_,
                   http::server::Server::start(std::move(sockets), *agents_, metrics_, std::move(server)));
  notify_manager("READY=1");
  return {};
}

void Service::reload() {
  notify_manager("RELOADING=1");
  reopen_log();
  if (!options_.certificate.empty()) reload_certificate();
  notify_manager("READY=1");
}

void Service::reload_certificate() {
  auto files = http::server::load_tls_files(options_.certificate, options_.key, unix_now());
  const auto replaced = files ? server_->replace_certificate(*files) : std::unexpected(files.error());
  if (replaced)
    log_line("new connections get the certificate in " + options_.certificate);
  else
    log_line("keeping the current certificate: " + replaced.error().message);
}

void Service::reopen_log() {
  if (!access_log_ || options_.access_log == "-") return;
  if (const auto opened = access_log_->reopen(); !opened)
    log_line("keeping the current access log: " + opened.error().message);
}

ExitStatus Service::stop(const sigset_t& signals) {
  notify_manager("STOPPING=1");
  server_->drain();
  const auto end = std::chrono::steady_clock::now() + seconds_to_ms(options_.grace);
  bool empty = server_->wait_until_empty(milliseconds(0));
  while (!empty && std::chrono::steady_clock::now() < end) {
    empty = server_->wait_until_empty(milliseconds(100));
    const timespec at_once{};
    const int signal = sigtimedwait(&signals, nullptr, &at_once);
    if (signal == SIGTERM || signal == SIGINT) break;
  }
  if (!empty) log_line("stopped before every download had ended");
  server_->stop();
  if (metrics_server_) metrics_server_->stop();
  if (access_log_ && access_log_->lost() > 0)
    log_line(fmt::format("{} lost", counted(access_log_->lost(), "line of the access log was",
                                            "lines of the access log were")));
  return ExitStatus::yes;
}

ExitStatus Service::run(const sigset_t& signals) {
  while (true) {
    switch (sigwaitinfo(&signals, nullptr)) {
      case SIGHUP: reload(); break;
      case SIGUSR1: reopen_log(); break;
      case SIGTERM:
      case SIGINT: return stop(signals);
      default: break;  // interrupted by another signal
    }
  }
}

ExitStatus check_only(const ServeOptions& options) {
  const auto folder = serve::Folder::open(options.folder, options.below);
  if (!folder) return report_failure(folder.error());
  const auto report = serve::report_on(*folder, serve::read_notices(*folder), sheaf::now());
  if (options.json)
    print_json_line(serving_as_json(options.folder, report));
  else
    print_text("{}", describe_serving(options.folder, {}, "", report));
  return report.problems.empty() ? ExitStatus::yes : ExitStatus::no;
}

ExitStatus run(const ServeOptions& options) {
  if (options.check) return check_only(options);
  const sigset_t signals = block_signals();
  Service service(options);
  if (const auto started = service.start(); !started) {
    report_failure(started.error());
    return ExitStatus::unknown;
  }
  return service.run(signals);
}

void add_network_options(const Command& command, ServeOptions& options) {
  command
      .option("--listen", options.listen,
              "address to listen on; :8080 means all addresses; repeatable; default: 127.0.0.1:8080")
      .value_name("ADDRESS");
  const Option certificate =
      command.option("--tls-cert", options.certificate, "certificate chain in PEM format; SIGHUP reloads it")
          .value_name("FILE");
  const Option key = command.option("--tls-key", options.key, "private key of the certificate, in PEM format")
                         .value_name("FILE");
  certificate.needs(key);
  key.needs(certificate);
  command.option("--metrics", options.metrics, "address on which to serve /metrics in Prometheus format")
      .value_name("ADDRESS");
  command
      .option("--trust-proxy", options.proxies,
              "proxy address or network whose X-Forwarded-For is trusted; repeatable")
      .value_name("NETWORK");
}

void add_limit_options(const Command& command, ServeOptions& options) {
  command
      .option("--rate", options.rate,
              "maximum requests per second from one client (an IPv4 address or IPv6 /64); more get 429")
      .value_name("NUMBER")
      .within(0.001, 1e6);
  command
      .option("--burst", options.burst,
              "requests allowed at once after a pause; default: the value of --rate")
      .value_name("NUMBER")
      .within(1.0, 1e6);
  command.option("--bandwidth", options.bandwidth, "maximum bytes per second on one connection, e.g. 2MiB")
      .size();
  command.option("--max-connections", options.connections, "maximum number of connections; more get 503")
      .within<std::uint64_t>(1, 1'000'000)
      .show_default();
  command
      .option("--max-connections-per-client", options.connections_per_client,
              "maximum number of connections from one client; more get 429")
      .within<std::uint64_t>(1, 1'000'000);
  command
      .option("--timeout", options.timeout,
              "seconds to wait for a request, on an idle connection, and for a stalled download")
      .value_name("SECONDS")
      .within(1.0, 86'400.0)
      .show_default();
  command.option("--grace", options.grace, "seconds that downloads may continue after SIGTERM")
      .value_name("SECONDS")
      .within(0.0, 86'400.0)
      .show_default();
}

}  // namespace

void add_serve(const Command& program, Job& job) {
  auto options = std::make_shared<ServeOptions>();
  const Command command = program.subcommand("serve", "Serve a folder of collections over HTTP");
  command.option("DIR", options->folder, "the folder to serve, the root of the site").required();
  command.option("--below", options->below, "serve the folder below this URL path, such as /docs")
      .value_name("PATH");
  add_network_options(command, *options);
  add_limit_options(command, *options);
  add_thread_option(command, options->threads, "server threads");
  command.option("--access-log", options->access_log, "access log; - is standard output").value_name("FILE");
  command.option("--log-format", options->log_format, "format of the access log")
      .one_of({"combined", "json"})
      .show_default();
  command.flag("--verify-agents", options->verify_agents,
               "verify crawlers that sign their requests (Web Bot Auth), and name them in the access log");
  command.option("--identity", options->identity, "also serve the key directory of this identity")
      .value_name("DIR");
  command.flag("--allow-private", options->allow_private,
               "also fetch key directories from private networks and over http");
  command.option("--user", options->user, "user to switch to when started as root; default: sheaf or nobody")
      .value_name("NAME");
  const Option check = command.flag("--check", options->check,
                                    "report what would be served and what is wrong with it, and exit");
  command.flag("--json", options->json, "print the report as JSON").needs(check);
  command.footer(
      "Example: sheaf serve public --listen :8080 --rate 20\n"
      "SIGTERM finishes downloads and stops; SIGHUP reloads the certificate and reopens the log; SIGUSR1 "
      "reopens the log.\n"
      "Exit status: 0 stopped by a signal, or --check found no problems; 1 --check found problems; 2 could "
      "not serve.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
