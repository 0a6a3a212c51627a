#include "sheaf/cli/doctor/lab_vectors.h"

#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/http/server/server.h"
#include "sheaf/lab/conformance_vectors.h"
#include "sheaf/serve/file_handler.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>

namespace sheaf::cli {
namespace {

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

}  // namespace

ExitStatus run_vectors(const LabOptions& options) {
  const auto served = serve_vectors(options);
  if (!served) {
    (void)report_failure(served.error());
    return ExitStatus::unknown;
  }
  return *served ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace sheaf::cli
