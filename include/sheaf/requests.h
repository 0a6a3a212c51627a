// sheaf/requests.h - how HTTP requests are made
//
// Everything that requests pages, sitemaps or collections of other sites takes RequestOptions: who asks, how
// fast, and what is allowed. robots.txt and Retry-After are obeyed in any case.
//
//     #include <sheaf/requests.h>
//
//     #include <cstdio>
//
//     int main() {
//       sheaf::RequestOptions options;
//       options.user_agent = "ExampleBot/1.0 (+https://shop.example/bot)";  // who you are
//       options.delay = std::chrono::seconds(2);                            // slower than usual
//       std::printf("%u connections\n", options.connections);
//       return 0;
//     }
//
// Threads: options are plain values.
#pragma once

#include <chrono>
#include <string>

namespace sheaf {

struct RequestOptions {
  std::string user_agent = "sheaf";      ///< should identify you and say how to reach you
  std::string from = {};                 ///< your mail address for the From header; not sent if empty
  bool allow_private = false;            ///< loopback, private, link-local and other non-public addresses
  bool allow_http = false;               ///< plain http for what belongs to an https site
  std::string authorities = {};          ///< a file of CA certificates to trust instead of the system's
  unsigned connections = 2;              ///< maximum number of concurrent connections per host
  std::chrono::milliseconds delay{500};  ///< between two requests of a crawl; robots.txt may ask for more
  unsigned tries = 6;                    ///< attempts per request, for failures that may be temporary
  std::chrono::seconds timeout{30};      ///< for connecting (at most 15 s), and for a response that stalls
};

}  // namespace sheaf
