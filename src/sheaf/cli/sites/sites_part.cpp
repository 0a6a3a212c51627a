#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/export/parquet_export.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <rocksdb/version.h>

#include <algorithm>
#include <array>
#include <utility>

// The entry points of this part of the program.

using sheaf::cli::AddCommand;

namespace {

constexpr std::array<std::pair<std::string_view, AddCommand*>, 18> kSiteCommands{{
    {"publish", sheaf::cli::add_publish},
    {"keys", sheaf::cli::add_keys},
    {"serve", sheaf::cli::add_serve},
    {"report", sheaf::cli::add_report},
    {"pull", sheaf::cli::add_pull},
    {"list", sheaf::cli::add_list},
    {"get", sheaf::cli::add_get},
    {"export", sheaf::cli::add_export},
    {"changes", sheaf::cli::add_changes},
    {"status", sheaf::cli::add_status},
    {"verify", sheaf::cli::add_verify},
    {"drop", sheaf::cli::add_drop},
    {"gc", sheaf::cli::add_gc},
    {"index", sheaf::cli::add_index},
    {"grep", sheaf::cli::add_grep},
    {"search", sheaf::cli::add_search},
    {"identity", sheaf::cli::add_identity},
    {"store", sheaf::cli::add_store},
}};

}  // namespace

AddCommand* sheaf_site_command(std::string_view name) {
  const auto* const found =
      std::ranges::find(kSiteCommands, name, &std::pair<std::string_view, AddCommand*>::first);
  return found == kSiteCommands.end() ? nullptr : found->second;
}

sheaf::base::Result<sheaf::format::ConvertSummary> sheaf_convert_to_parquet(
    const sheaf::format::SourceOpener& input, const std::string& output, const std::optional<int>& level,
    const sheaf::format::ConvertOptions& options) {
  sheaf::exporting::ShardSettings settings;
  if (level) settings.level = *level;
  settings.threads = options.threads;
  return sheaf::exporting::convert_to_parquet(input, output, settings, options);
}

// RocksDB does not report its version at run time: this is the version that we were built with.
std::string sheaf_site_versions() {
  return fmt::format("RocksDB {}.{}.{}, libcurl {}", ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH,
                     curl_version_info(CURLVERSION_NOW)->version);
}
