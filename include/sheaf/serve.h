// sheaf/serve.h - serve a folder over HTTP
//
// A FolderServer serves collections with the headers that the drafts require (ETag, Digest, and Cache-Control
// according to the sitemap) and supports range requests. All other files in the folder are served as ordinary
// files. The same as `sheaf serve`.
//
//     #include <sheaf/serve.h>
//
//     #include <cstdio>
//
//     int main() {
//       auto server = sheaf::FolderServer::start("site", {.listen = "127.0.0.1:0"});  // any free port
//       if (!server) return std::fprintf(stderr, "%s\n", server.error().message.c_str()), 2;
//       std::printf("%s\n", server->url().c_str());
//       return server->stop(std::chrono::seconds(1)) ? 0 : 1;
//     }
//
// Files are checked at every request, so clients get new versions immediately. Files outside the folder
// cannot be reached; hidden and temporary files are not served.
//
// Lifetimes: the server runs in its own threads until stop() or its destructor is called.
//
// Errors: start() fails if the folder, the address or the certificate cannot be used. Later problems are
// reported to ServeSettings::log.
//
// Threads: stop() may be called by any thread; `log` is called by the server's threads.
#pragma once

#include <sheaf/error.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sheaf {

struct ServeSettings {
  std::string listen = "127.0.0.1:8080";  ///< ADDRESS:PORT; ":8080" is every address, port 0 any free port
  std::string below = "/";                ///< URL path at which the folder is served
  std::string certificate = {};           ///< PEM file; with it and a key the server speaks TLS
  std::string key = {};
  unsigned threads = 2;
  double requests_per_second = 0;             ///< limit per client address; 0: no limit
  std::uint64_t bandwidth = 0;                ///< limit per connection, in bytes per second; 0: no limit
  std::size_t connections = 1'000;            ///< maximum number of concurrent connections
  std::chrono::milliseconds timeout{60'000};  ///< for a request, and for a stalled download
  std::string access_log = {};                ///< file to which a line is appended for each request
  std::function<void(const std::string& line)> log = {};  ///< receives problems, for the operator
};

/// See the top of this file.
class FolderServer {
 public:
  static Result<FolderServer> start(const std::filesystem::path& folder, const ServeSettings& settings);
  /// Stops the server at once; downloads are aborted.
  ~FolderServer();
  FolderServer(FolderServer&&) noexcept;
  FolderServer& operator=(FolderServer&&) noexcept;

  /// The URL of the server: "http://127.0.0.1:8080".
  [[nodiscard]] const std::string& url() const;
  /// Problems of the folder, one sentence each: files that the sitemap lists but that do not exist,
  /// collections that no sitemap lists, and expired collections.
  [[nodiscard]] const std::vector<std::string>& problems() const;

  /// Stops listening, waits at most `grace` for downloads to finish, and aborts the rest. Returns true if no
  /// download was aborted.
  bool stop(std::chrono::milliseconds grace);

 private:
  class Impl;
  explicit FolderServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
