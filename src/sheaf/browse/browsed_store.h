#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/search_index.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/site_notes.h"
#include <sheaf/time.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace sheaf::browse {

// What a store has and how it was filled, summed up for the overview.

/// The last pull of a site, if it failed.
struct SiteFailure {
  std::string reason;
  std::string code;
  std::uint64_t times = 1;  ///< consecutive failures
  Instant last = {};
  std::optional<Instant> next = {};  ///< nullopt if the site is not pulled regularly
};

struct SiteSummary {
  std::string site;
  std::vector<store::SectionState> sections;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  std::optional<Instant> changed = {};    ///< latest of its sections
  std::optional<Instant> generated = {};  ///< oldest of its sections
  std::optional<SiteFailure> failure = {};

  [[nodiscard]] bool has_difference() const;  ///< whether a section differs from the stated digest
};

/// One day, summed over all sites.
struct OverviewDay {
  std::string date;  ///< "2026-01-31"
  store::PullDay sum;
};

struct StoreOverview {
  Instant now;
  std::vector<SiteSummary> sites;  ///< sorted
  std::uint64_t sections = 0;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< bytes of the pages' JSON
  std::uint64_t disk_bytes = 0;
  std::uint64_t changes = 0;
  std::uint64_t proven = 0;       ///< sections
  std::uint64_t differs = 0;      ///< sections
  std::uint64_t failing = 0;      ///< sites
  std::vector<OverviewDay> days;  ///< every day since the first pull, at most kOverviewDays
  std::optional<search::IndexState> index = {};
};

inline constexpr std::int64_t kOverviewDays = 30;

/// `listed` are sites that are pulled into the store, including those without pages in it.
base::Result<StoreOverview> make_overview(const store::PageStore& store,
                                          const std::vector<std::string>& listed, Instant now);

/// "proven", "differs", "not stated".
std::string_view describe_proof(const std::optional<bool>& proven);

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
