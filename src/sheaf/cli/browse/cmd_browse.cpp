#include "sheaf/browse/browse_app.h"
#include "sheaf/browse/browsed_store.h"
#include "sheaf/browse/crawler_logs.h"
#include "sheaf/browse/inspections.h"
#include "sheaf/browse/publish_preview.h"
#include "sheaf/cli/browse/local_server.h"
#include "sheaf/cli/browse/preview_sources.h"
#include "sheaf/cli/browse/web_browser.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/site_list_file.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/publish/config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

constexpr std::string_view kDefaultAddress = "127.0.0.1:8480";

struct BrowseOptions {
  std::string store;
  std::string publish;
  std::string list;
  std::vector<std::string> logs;
  LocalServerOptions server;
  bool allow_private = false;
  bool open = false;
};

/// What is shown, and all that it needs. Members are destroyed from last to first: `access` uses `store`.
struct BrowseSources {
  std::unique_ptr<store::PageStore> store;
  std::optional<browse::BrowsedStore> access;
  std::unique_ptr<browse::PublishPreview> preview;
  std::unique_ptr<browse::CrawlerLogs> logs;
  std::unique_ptr<browse::Inspections> inspections;
};

base::Result<void> open_exhibits(const BrowseOptions& options, BrowseSources& exhibits) {
  if (options.store.empty() && options.publish.empty() && options.logs.empty())
    return base::fail(base::Errc::invalid_argument, "give --store, --publish or --log, or several of them");
  if (!options.store.empty()) {
    std::vector<std::string> listed;
    if (!options.list.empty()) {
      SHEAF_TRY_ASSIGN(const auto sites, read_site_list(options.list));
      for (const base::Url& site : sites) listed.push_back(site.origin());
    }
    SHEAF_TRY_ASSIGN(exhibits.store, open_existing_store(options.store, StoreAccess::read));
    exhibits.access.emplace(*exhibits.store, options.store, std::move(listed));
  }
  if (!options.publish.empty()) {
    SHEAF_TRY_ASSIGN(auto config, publish::read_config(options.publish));
    PublishOptions reading;
    reading.threads = number_of_processors();
    reading.allow_private = options.allow_private;
    std::string site(config.base->href());
    exhibits.preview = std::make_unique<browse::PublishPreview>(
        std::move(site), preview_sources(std::move(config), std::move(reading)));
  }
  if (!options.logs.empty()) exhibits.logs = std::make_unique<browse::CrawlerLogs>(options.logs);
  http::fetch::FetchOptions fetch;
  fetch.allow_private = options.allow_private;
  exhibits.inspections = std::make_unique<browse::Inspections>(std::move(fetch));
  return {};
}

base::Result<void> serve_app(BrowseOptions options) {
  if (options.server.listen.empty()) options.server.listen.emplace_back(kDefaultAddress);
  const StopSignals stop;
  BrowseSources exhibits;
  SHEAF_TRY(open_exhibits(options, exhibits));
  SHEAF_TRY_ASSIGN(OpenedServer opened, open_local_server(options.server));
  for (const std::string& address : opened.addresses)
    print_message(fmt::format("listening on http://{}/", address));
  if (opened.is_exposed && opened.token.empty())
    return base::fail(base::Errc::refused, "--host makes the server known to others: give a --token-file");
  browse::ViewContext context;
  context.store = exhibits.access ? &*exhibits.access : nullptr;
  context.preview = exhibits.preview.get();
  context.logs = exhibits.logs.get();
  context.inspections = exhibits.inspections.get();
  context.open_by_name = opened.is_exposed ? browse::OpenByName::nobody : browse::OpenByName::machine;
  browse::BrowseApp app(context, {.token = opened.token, .hosts = options.server.hosts});
  const std::string url = fmt::format("http://{}/", opened.addresses.front());
  return run_local_server(std::move(opened), options.server, app, stop, [&] {
    if (options.open) open_in_browser(url);
  });
}

ExitStatus run(const BrowseOptions& options) {
  const auto served = serve_app(options);
  if (served) return ExitStatus::yes;
  (void)report_failure(served.error());
  return ExitStatus::unknown;
}

}  // namespace

void add_browse(const Command& program, Job& job) {
  auto options = std::make_shared<BrowseOptions>();
  const Command command =
      program.subcommand("browse", "Show a store, what a site publishes, or who pulls it, in a web browser");
  command.option("--store", options->store, "folder of the store, or postgresql://... for a shared store")
      .value_name("STORE");
  command
      .option("--publish", options->publish,
              "publisher's configuration file; shows what is published and what is skipped")
      .value_name("FILE");
  command
      .option("--list", options->list,
              "file with one site per line, as for pull; also shows listed sites without stored pages")
      .value_name("FILE");
  command
      .option(
          "--log", options->logs,
          "access logs of sheaf, nginx or Caddy; shows who pulls the site, and follows the logs as they grow")
      .value_name("FILE...");
  add_local_server_options(command, options->server, "address to listen on; default: 127.0.0.1:8480");
  command.flag("--allow-private", options->allow_private,
               "let the inspector and a live site's preview fetch from private and local addresses");
  command.flag("--open", options->open, "open the app in the web browser");
  command.footer(
      "Example: sheaf browse --store crawl\n"
      "         sheaf browse --publish sheaf.toml --open\n"
      "         sheaf browse --log /var/log/sheaf-serve/access.log\n"
      "Exit status: 0 stopped normally, 2 the store, the configuration or the address cannot be used.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
