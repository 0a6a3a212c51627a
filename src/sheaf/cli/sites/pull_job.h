#pragma once

#include "sheaf/cli/options/command_line.h"
#include "sheaf/cli/output/exit_status.h"
#include "sheaf/cli/sites/fetch_options.h"
#include "sheaf/pull/pull.h"

#include <string>
#include <vector>

namespace sheaf::cli {

/// The options of `sheaf pull`, as they were typed. run_pull() checks and translates them.
struct PullCommandOptions {
  std::vector<std::string> urls;
  std::string store;
  std::string list;
  std::string every = "auto";
  std::string snapshot_every = "7d";
  std::string max_time = "1d";
  bool once = false;
  bool plan = false;
  std::string report;  ///< file of the quality report; empty if none is wanted
  bool json = false;
  std::string html = "fallback";
  std::string links = "content";
  FetchArguments requests;
  std::string metrics;
  unsigned sites_at_once = 16;
  unsigned all_connections = 64;
  std::vector<std::string> also_hosts;
  std::vector<std::string> keys;
  std::string identity;  ///< folder; empty: requests are not signed
  bool allow_shrink = false;
  bool no_pack = false;
  unsigned threads = 1;
  bool index = false;
  std::vector<std::string> from_warc;
  std::string keep_warc;  ///< folder; empty: none
  pull::SitePullOptions pull;
  Command::Given given;  ///< all options, as typed
};

/// Does the work of `sheaf pull` and prints the reports: named sites one after another, or many sites on
/// their schedule.
ExitStatus run_pull(const PullCommandOptions& options);

}  // namespace sheaf::cli
