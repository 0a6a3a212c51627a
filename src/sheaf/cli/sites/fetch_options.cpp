#include "sheaf/cli/sites/fetch_options.h"

#include "sheaf/cli/sites/store_options.h"
#include "sheaf/site/robots.h"

#include <chrono>
#include <cstdint>
#include <utility>

namespace sheaf::cli {

void add_fetch_options(const Command& command, FetchArguments& arguments) {
  http::fetch::FetchOptions& fetch = arguments.fetch;
  command
      .option("--user-agent", fetch.user_agent,
              "User-Agent to send; the name in it selects the rules in robots.txt")
      .value_name("NAME")
      .check(refuse_controls)
      .show_default();
  command
      .option("--delay", arguments.delay,
              "seconds between two requests of pages; robots.txt may ask for more")
      .value_name("SECONDS")
      .within(0.0, 3600.0)
      .show_default();
  command.option("--ca-file", fetch.authorities, "file with CA certificates to trust instead of the system's")
      .value_name("FILE");
  command.flag("--allow-http", fetch.allow_http,
               "accept collections, sitemaps and pages over http from a site that has https");
  command
      .option("--resolve", arguments.resolve,
              "connect to ADDRESS:PORT for this host (http://ADDRESS:PORT: without TLS); repeatable")
      .value_name("HOST=ADDRESS:PORT");
  command.flag("--allow-private", fetch.allow_private,
               "also connect to this machine and to private networks");
}

void add_transfer_options(const Command& command, FetchArguments& arguments) {
  http::fetch::FetchOptions& fetch = arguments.fetch;
  command.option("--from", fetch.from, "email address, sent as the From header")
      .value_name("MAIL")
      .check(refuse_controls);
  command.option("--connections", fetch.connections, "parallel requests to one host")
      .within(1U, 256U)
      .show_default();
  command
      .option("--timeout", arguments.timeout,
              "seconds to wait for a connection, and for a response that arrives at less than 1 KiB/s")
      .value_name("SECONDS")
      .within(1U, 3600U)
      .show_default();
  command
      .option(
          "--min-rate", fetch.pace.minimum_rate,
          "bytes per second that every transfer must reach on average, after twice the --timeout, e.g. 4KiB")
      .size();
  command.option("--tries", fetch.tries, "maximum tries of a request whose failure may be temporary")
      .within(1U, 100U)
      .show_default();
}

base::Result<http::fetch::FetchOptions> parse_fetch_options(const FetchArguments& arguments) {
  http::fetch::FetchOptions fetch = arguments.fetch;
  fetch.delay = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.delay * 1000));
  fetch.timeout = std::chrono::seconds(arguments.timeout);
  for (const std::string& text : arguments.resolve) {
    SHEAF_TRY_ASSIGN(auto parsed, http::fetch::parse_host_override(text));
    fetch.overrides.push_back(std::move(parsed));
  }
  if (site::product_token(fetch.user_agent).empty())
    return base::fail(base::Errc::invalid_argument,
                      "--user-agent must begin with a name, as ExampleBot/1.0 (+https://example.com/bot)");
  return fetch;
}

}  // namespace sheaf::cli
