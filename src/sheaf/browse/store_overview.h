#pragma once

#include "sheaf/base/error.h"
#include "sheaf/search/search_index.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/site_notes.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What a store has and how it was filled, summed up for the overview.
namespace sheaf::browse {

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

}  // namespace sheaf::browse
