#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/pull/site_signing.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace sheaf::cli {

// For Option::check().
/// Refuses what is not a position in the change feed: 0 or more.
std::string refuse_time(std::string& text);
/// Refuses line ends and other control characters.
std::string refuse_controls(std::string& text);

/// Adds --store, which every command that reads or writes a store has.
void add_store_option(const Command& command, std::string& folder);

/// Opens a store. If `access` is write, a folder that does not exist is created. Keys of object storage come
/// from the environment.
base::Result<std::unique_ptr<store::PageStore>> open_any_store(const std::string& location,
                                                               StoreAccess access);

/// Opens a store that must exist already.
base::Result<std::unique_ptr<store::PageStore>> open_existing_store(const std::string& location,
                                                                    StoreAccess access);

/// Options that select pages: --site, --section, --since, --until, --url, --lang, and --limit and --count.
struct SelectionOptions {
  std::string site;
  std::string section;
  std::string since;
  std::string until;
  std::string url;
  std::string language;
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  bool count = false;
};
void add_selection_options(const Command& command, SelectionOptions& options);
/// Adds all of these except --limit and --count.
void add_page_filter_options(const Command& command, SelectionOptions& options);

/// The parsed options. "example.com" means https://example.com.
struct Selection {
  std::string site;
  std::string section;
  std::optional<Instant> since;
  std::optional<Instant> until;
};
base::Result<Selection> parse_selection(const SelectionOptions& options);

/// Shows the progress of a store operation on `line`, which must outlive the operation.
store::StoreProgressSink store_progress(Progress& line);

/// Returns the name of a site in the store, from the value of --site; empty if that is empty. Fails with a
/// message for the user.
base::Result<std::string> parse_site(const std::string& text);
/// Parses "https://example.com=RW...", or "...=none" to forget a key.
base::Result<pull::GivenKey> parse_given_key(const std::string& text);
/// Fails with Errc::not_found if the site is not in the store, because a misspelt site would look like an
/// empty one. An empty `site` is always accepted.
base::Result<void> check_known(const store::PageStore& store, const std::string& site);

}  // namespace sheaf::cli
