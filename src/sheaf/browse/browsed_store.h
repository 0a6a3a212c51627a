#pragma once

#include "sheaf/base/error.h"
#include "sheaf/browse/store_overview.h"
#include "sheaf/search/search_index.h"
#include "sheaf/store/page_store.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

namespace sheaf::browse {

/// Lets several threads read a store at the same time, but not while it is being refreshed. Thread-safe.
class BrowsedStore {
 public:
  /// `location`, the value of --store, leads to the index. `listed` are further sites that are pulled into
  /// the store.
  BrowsedStore(store::PageStore& store, std::string location, std::vector<std::string> listed = {})
      : store_(store), location_(std::move(location)), listed_(std::move(listed)) {}

  /// Gives access to the store, which is not refreshed while the guard exists. Its state is at most half a
  /// second old when the guard is made.
  class Guard {
   public:
    const store::PageStore& operator*() const { return *store_; }
    const store::PageStore* operator->() const { return store_; }

   private:
    friend class BrowsedStore;
    Guard(const store::PageStore& store, std::shared_mutex& mutex) : store_(&store), lock_(mutex) {}
    const store::PageStore* store_;
    std::shared_lock<std::shared_mutex> lock_;
  };
  base::Result<Guard> read();

  /// Searches the index, which is opened at its first use. Errors say how to make an index.
  base::Result<SearchResults> search(const SearchRequest& request);
  base::Result<search::IndexState> index_state();

  /// Computed at most every few seconds: it reads every section and the notes of every site.
  base::Result<std::shared_ptr<const StoreOverview>> overview();

 private:
  base::Result<search::SearchIndex*> index();

  store::PageStore& store_;
  const std::string location_;
  const std::vector<std::string> listed_;
  std::shared_mutex store_mutex_;
  std::mutex mutex_;  ///< guards `refreshed_` and `index_`
  std::chrono::steady_clock::time_point refreshed_ = {};
  std::unique_ptr<search::SearchIndex> index_;
  std::mutex overview_mutex_;
  std::shared_ptr<const StoreOverview> overview_;
  std::chrono::steady_clock::time_point overview_made_ = {};
};

}  // namespace sheaf::browse
