#include "sheaf/browse/browsed_store.h"

namespace sheaf::browse {
namespace {

constexpr std::chrono::milliseconds kRefreshInterval{500};
constexpr std::chrono::seconds kOverviewInterval{3};

}  // namespace

base::Result<BrowsedStore::Guard> BrowsedStore::read() {
  {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now >= refreshed_ + kRefreshInterval) {
      const std::unique_lock store_lock(store_mutex_);
      SHEAF_TRY(store_.refresh());
      refreshed_ = now;
    }
  }
  return Guard(store_, store_mutex_);
}

base::Result<search::SearchIndex*> BrowsedStore::index() {
  const std::lock_guard lock(mutex_);
  if (!index_) {
    SHEAF_TRY_ASSIGN(index_, search::open_index(location_));
  }
  return index_.get();
}

base::Result<SearchResults> BrowsedStore::search(const SearchRequest& request) {
  SHEAF_TRY_ASSIGN(search::SearchIndex* const opened, index());
  SHEAF_TRY_ASSIGN(const Guard store, read());
  return opened->search(*store, request);
}

base::Result<search::IndexState> BrowsedStore::index_state() {
  SHEAF_TRY_ASSIGN(search::SearchIndex* const opened, index());
  return opened->state();
}

base::Result<std::shared_ptr<const StoreOverview>> BrowsedStore::overview() {
  const std::lock_guard lock(overview_mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (overview_ && now < overview_made_ + kOverviewInterval) return overview_;
  StoreOverview made;
  {
    // index_state() needs the mutex that read() locks first, so the guard must be destroyed before.
    SHEAF_TRY_ASSIGN(const Guard store, read());
    SHEAF_TRY_ASSIGN(made, make_overview(*store, listed_, sheaf::now()));
  }
  if (const auto state = index_state()) made.index = *state;
  overview_ = std::make_shared<const StoreOverview>(std::move(made));
  overview_made_ = now;
  return overview_;
}

}  // namespace sheaf::browse
