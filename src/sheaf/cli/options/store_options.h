#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace sheaf::cli {

/// --store DIR, which every command that reads or writes a store has.
void add_store_option(const Command& command, std::string& folder);

/// Opens a store that must exist already.
base::Result<std::unique_ptr<store::PageStore>> open_existing_store(const std::string& location,
                                                                    store::Access access);

/// Which pages a command is about: --site, --section, --since, --until, --url, --lang; and --limit and
/// --count.
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

/// What they mean. "example.com" is https://example.com.
struct Selection {
  std::string site;
  std::string section;
  std::optional<Instant> since;
  std::optional<Instant> until;
};
base::Result<Selection> parse_selection(const SelectionOptions& options);

/// Shows on the line how far an operation on a store is. The line must live as long as the operation.
store::StoreProgressSink store_progress(Progress& line);

/// The name of a site as the store has it; errors say what was wrong with it.
base::Result<std::string> parse_site(const std::string& text);
/// not_found: a misspelt site would look like an empty one. Any store will do for no site at all.
base::Result<void> check_known(const store::PageStore& store, const std::string& site);

}  // namespace sheaf::cli
