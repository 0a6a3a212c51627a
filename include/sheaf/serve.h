// sheaf/serve.h - serve a folder over HTTP
//
// A FolderServer serves collections with the headers that the drafts ask for (ETag, Digest, Cache-Control by
// the sitemap), ranges, and everything else in the folder as ordinary files. The same as `sheaf serve`.
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
// Files are looked at for every request: a file that was published a moment ago is what clients get. Nothing
// outside the folder can be reached, and hidden and temporary files are not served.
//
// Lifetimes: the server runs in threads of its own until stop() or its destructor.
//
// Errors: start() fails where the folder, the address or the certificate cannot be used. Later trouble goes
// to ServeSettings::log.
//
// Threads: stop() may be called by any thread; `log` is called by the server's.
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
  std::string below = "/";                ///< path of the host that the folder stands for
  std::string certificate = {};           ///< PEM file; with it and a key the server speaks TLS
  std::string key = {};
  unsigned threads = 2;
  double requests_per_second = 0;             ///< for each client address; 0: no limit
  std::uint64_t bandwidth = 0;                ///< bytes per second for each connection; 0: no limit
  std::size_t connections = 1'000;            ///< at a time
  std::chrono::milliseconds timeout{60'000};  ///< for a request, and for a stalled download
  std::string access_log = {};                ///< a file to append a line to for each request
  std::function<void(const std::string& line)> log = {};  ///< trouble, for the operator
};

/// See the top of this file.
class FolderServer {
 public:
  static Result<FolderServer> start(const std::filesystem::path& folder, const ServeSettings& settings);
  /// Stops at once.
  ~FolderServer();
  FolderServer(FolderServer&&) noexcept;
  FolderServer& operator=(FolderServer&&) noexcept;

  /// Where it listens: "http://127.0.0.1:8080".
  [[nodiscard]] const std::string& url() const;
  /// What is wrong with the folder, a sentence each: files that the sitemap names and that are not there,
  /// collections that no sitemap names, expired ones.
  [[nodiscard]] const std::vector<std::string>& problems() const;

  /// Stops listening, lets downloads end for at most `grace`, and breaks off the rest. True if none was left.
  bool stop(std::chrono::milliseconds grace);

 private:
  class Impl;
  explicit FolderServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
