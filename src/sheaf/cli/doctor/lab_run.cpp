#include "sheaf/cli/doctor/lab_run.h"

#include "sheaf/cli/output/exit_status.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/http/server/server.h"
#include "sheaf/lab/conformance_vectors.h"
#include "sheaf/lab/deployment_server.h"
#include "sheaf/serve/file_handler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>

namespace sheaf::cli {
namespace {

using lab::Deployment;
using lab::DeploymentServer;
using Servers = std::vector<std::unique_ptr<DeploymentServer>>;

using lab::ConformanceVector;

/// Serves the folder over HTTP, on this machine only.
class VectorServer {
 public:
  static base::Result<std::unique_ptr<VectorServer>> start(const LabOptions& options) {
    auto server = std::make_unique<VectorServer>();
    SHEAF_TRY_ASSIGN(auto listeners, http::server::listen_on(fmt::format("127.0.0.1:{}", options.port)));
    server->url_ = "http://" + http::server::describe_listener(listeners.front().get()) + "/";
    SHEAF_TRY_ASSIGN(auto folder, serve::Folder::open(options.vectors));
    server->site_ = std::make_unique<serve::FileHandler>(std::move(folder), serve::FolderSitemaps(),
                                                         [](const std::string&) {});
    SHEAF_TRY_ASSIGN(server->server_,
                     http::server::Server::start(std::move(listeners), *server->site_, server->metrics_, {}));
    return server;
  }

  [[nodiscard]] std::string url_of(const ConformanceVector& vector) const { return url_ + vector.name; }

 private:
  std::string url_;
  http::server::Metrics metrics_;
  std::unique_ptr<serve::FileHandler> site_;
  std::unique_ptr<http::server::Server> server_;
};

void print_vector(const ConformanceVector& vector, const std::string& url, bool json) {
  if (!json)
    return print_text("{}  {}\n", printable(url.empty() ? vector.name : url, Lines::join),
                      printable(vector.verdict(), Lines::join));
  JsonOutput out;
  out.begin_report().string("name", vector.name);
  if (!url.empty()) out.string("url", url);
  out.boolean("valid", vector.is_valid).string("fatal", vector.fatal).begin_array("codes");
  for (const std::string& code : vector.codes) out.element(code);
  print_json_line(out.end_array().end_object().text());
}

/// Runs the user's validator for one vector. Its exit status is 0 if it considers the collection valid.
/// Returns whether it is right.
bool try_validator(const LabOptions& options, const VectorServer& server, const ConformanceVector& vector) {
  std::string command = options.run;
  constexpr std::string_view kUrl = "{url}";
  const std::string url = server.url_of(vector);
  for (std::size_t at = command.find(kUrl); at != std::string::npos; at = command.find(kUrl, at))
    command.replace(at, kUrl.size(), url);
  std::fflush(stdout);
  const int status =
      std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe): the server runs no commands
  const bool said_valid = status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const bool is_right = said_valid == vector.is_valid;
  if (options.json) {
    JsonOutput out;
    out.begin_report()
        .string("name", vector.name)
        .boolean("valid", vector.is_valid)
        .boolean("right", is_right);
    print_json_line(out.end_object().text());
  } else {
    print_text("{}  {}  {}\n", is_right ? coloured(Colour::green, "ok    ") : coloured(Colour::red, "failed"),
               printable(vector.name, Lines::join), printable(vector.verdict(), Lines::join));
  }
  return is_right;
}

base::Result<bool> serve_vectors(const LabOptions& options) {
  SHEAF_TRY_ASSIGN(auto vectors, lab::read_vectors(options.vectors));
  if (!options.names.empty())
    std::erase_if(vectors, [&](const ConformanceVector& vector) {
      return std::ranges::find(options.names, vector.name) == options.names.end();
    });
  if (vectors.empty()) return base::fail(base::Errc::invalid_argument, "there is no vector of that name");
  if (options.list) {
    for (const ConformanceVector& vector : vectors) print_vector(vector, "", options.json);
    return true;
  }
  sigset_t signals;
  sigemptyset(&signals);
  if (options.run.empty())
    for (const int signal : {SIGINT, SIGTERM}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  SHEAF_TRY_ASSIGN(const auto server, VectorServer::start(options));
  bool all_right = true;
  for (const ConformanceVector& vector : vectors)
    if (options.run.empty())
      print_vector(vector, server->url_of(vector), options.json);
    else
      all_right = try_validator(options, *server, vector) && all_right;
  std::fflush(stdout);
  int signal = 0;
  if (options.run.empty()) sigwait(&signals, &signal);
  return all_right;
}

/// `sheaf lab --vectors`: serves a folder of conformance vectors, or tries a validator on each.
ExitStatus run_vectors(const LabOptions& options) {
  const auto served = serve_vectors(options);
  if (!served) {
    (void)report_failure(served.error());
    return ExitStatus::unknown;
  }
  return *served ? ExitStatus::yes : ExitStatus::no;
}

/// Returns the named deployments or, if none is named, those that clients can use without a name server and
/// certificates. --list shows all of them.
base::Result<std::vector<const Deployment*>> choose_deployments(const LabOptions& options) {
  std::vector<const Deployment*> chosen;
  for (const std::string& name : options.names) {
    const Deployment* deployment = lab::find_deployment(name);
    if (deployment == nullptr)
      return base::fail(base::Errc::invalid_argument,
                        fmt::format("there is no deployment {}; sheaf lab --list names them all", name));
    chosen.push_back(deployment);
  }
  if (!chosen.empty()) return chosen;
  for (const Deployment* deployment : lab::all_deployments())
    if (options.list || !deployment->https) chosen.push_back(deployment);
  return chosen;
}

void print_deployments(const std::vector<const Deployment*>& deployments, bool json) {
  for (const Deployment* deployment : deployments) {
    JsonOutput out;
    out.begin_report()
        .string("name", deployment->name)
        .string("fault", deployment->fault)
        .string("expected", deployment->expected)
        .boolean("https", deployment->https);
    if (json)
      print_json_line(out.end_object().text());
    else
      print_text("{}\n  {}\n  A client should: {}\n", coloured(Colour::bold, deployment->name),
                 deployment->fault, deployment->expected);
  }
}

/// Prints the verdict on a client at one deployment. Returns whether it behaved.
bool report_conduct(const DeploymentServer& server, bool json) {
  const std::vector<lab::LoggedRequest> log = server.log();
  const std::vector<std::string> faults = lab::judge_conduct(server.deployment(), log);
  if (json) {
    JsonOutput out;
    out.begin_report().string("name", server.deployment().name).string("url", server.url());
    out.boolean("behaved", faults.empty()).number("requests", log.size()).begin_array("faults");
    for (const std::string& fault : faults) out.element(printable(fault, Lines::join));
    print_json_line(out.end_array().end_object().text());
    return faults.empty();
  }
  print_text("{}  {}  {}\n",
             faults.empty() ? coloured(Colour::green, "ok    ") : coloured(Colour::red, "failed"),
             server.deployment().name, counted(log.size(), "request", "requests"));
  for (const std::string& fault : faults) print_text("        {}\n", printable(fault, Lines::join));
  return faults.empty();
}

base::Result<Servers> start_servers(const std::vector<const Deployment*>& deployments,
                                    const LabOptions& options) {
  Servers servers;
  for (const Deployment* deployment : deployments) {
    const auto port = static_cast<std::uint16_t>(options.port == 0 ? 0 : options.port + servers.size());
    SHEAF_TRY_ASSIGN(auto server, DeploymentServer::start(*deployment, sheaf::now(), port));
    servers.push_back(std::move(server));
  }
  return servers;
}

/// Runs the user's command for each deployment. Only its requests are judged, not its exit status.
bool try_client(const Servers& servers, const LabOptions& options) {
  bool behaved = true;
  for (const auto& server : servers) {
    std::string command = options.run;
    constexpr std::string_view kUrl = "{url}";
    for (std::size_t at = command.find(kUrl); at != std::string::npos; at = command.find(kUrl, at))
      command.replace(at, kUrl.size(), server->url());
    std::fflush(stdout);
    static_cast<void>(
        !std::system(command.c_str()));  // NOLINT(concurrency-mt-unsafe): no other thread runs commands
    behaved = report_conduct(*server, options.json) && behaved;
  }
  return behaved;
}

/// Serves until a signal arrives. Deployments without requests are not reported.
bool serve_until_stopped(const Servers& servers, const LabOptions& options, const sigset_t& signals) {
  for (const auto& server : servers)
    print_text("{}  {}{}\n", server->url(), server->deployment().name,
               server->deployment().https
                   ? fmt::format("  (resolve its host to http://{})", server->address())
                   : "");
  std::fflush(stdout);
  int signal = 0;
  sigwait(&signals, &signal);
  bool behaved = true;
  for (const auto& server : servers)
    if (!server->log().empty()) behaved = report_conduct(*server, options.json) && behaved;
  return behaved;
}

}  // namespace

ExitStatus run_lab(const LabOptions& options) {
  if (!options.vectors.empty()) return run_vectors(options);
  const auto deployments = choose_deployments(options);
  if (!deployments) {
    report_failure(deployments.error());
    return ExitStatus::unknown;
  }
  if (options.list) {
    print_deployments(*deployments, options.json);
    return ExitStatus::yes;
  }
  sigset_t signals;
  sigemptyset(&signals);
  // With --run, Ctrl-C ends the lab and the command.
  if (options.run.empty())
    for (const int signal : {SIGINT, SIGTERM}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const auto servers = start_servers(*deployments, options);
  if (!servers) {
    report_failure(servers.error());
    return ExitStatus::unknown;
  }
  const bool behaved =
      options.run.empty() ? serve_until_stopped(*servers, options, signals) : try_client(*servers, options);
  for (const auto& server : *servers)
    if (const std::string failure = server->failure(); !failure.empty()) {
      print_message(failure);
      return ExitStatus::unknown;
    }
  return behaved ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace sheaf::cli
