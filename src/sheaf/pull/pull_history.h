#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/site_notes.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sheaf::pull {

using store::PullDay;
using store::PullHistory;

/// Adds a pull. `pages` is the number of pages the site has now. The oldest days are removed.
void add_pull(PullHistory& history, const PullReport& report, std::uint64_t pages);

/// Adds a pull to the stored history, by putting the new history into `edit`. `pages` as for add_pull().
base::Result<void> put_history(store::SectionEdit& edit, const store::PageStore& store,
                               const PullReport& report, std::uint64_t pages);

/// Whether the pull has changed the copy.
bool has_changed(const PullReport& report);
/// Whether an earlier pull of the same day reached the newest state.
base::Result<bool> was_ok_today(const store::PageStore& store, const PullReport& report);

/// The time before which the site wants no requests (Retry-After); nullopt if it has not asked for that.
base::Result<std::optional<Instant>> read_retry_time(const store::PageStore& store, std::string_view site);
void put_retry_time(store::SectionEdit& edit, Instant time);
void remove_retry_time(store::SectionEdit& edit);

}  // namespace sheaf::pull
