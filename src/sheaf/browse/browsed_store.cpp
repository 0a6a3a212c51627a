#include "sheaf/browse/browsed_store.h"

#include "sheaf/base/url.h"
#include "sheaf/store/site_notes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sheaf::browse {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;

std::string date_of_day(std::int64_t day) { return format_time({day * kDaySeconds, 0}).substr(0, 10); }

/// Uses the newer of the two notes of a site, because a single pull does not write a schedule.
base::Result<std::optional<SiteFailure>> find_failure(const store::PageStore& store, const std::string& site,
                                                      const std::optional<store::PullHistory>& history) {
  SHEAF_TRY_ASSIGN(const auto schedule, store::read_schedule(store, site));
  const bool is_scheduled = schedule && (!history || schedule->last.seconds >= history->last.seconds);
  if (is_scheduled && schedule->failures > 0)
    return SiteFailure{schedule->trouble, schedule->failure_code, schedule->failures, schedule->last,
                       schedule->next};
  if (is_scheduled || !history || history->ok) return std::nullopt;
  SiteFailure failure{history->failure, history->failure_code, 1, history->last};
  if (schedule) failure.next = schedule->next;
  return failure;
}

void add_section(SiteSummary& site, store::SectionState section) {
  site.pages += section.pages;
  site.bytes += section.bytes;
  site.changed = site.changed ? std::max(*site.changed, section.changed_at) : section.changed_at;
  site.generated = site.generated ? std::min(*site.generated, section.generated) : section.generated;
  site.sections.push_back(std::move(section));
}

void add_day(store::PullDay& sum, const store::PullDay& day) {
  sum.pulls += day.pulls;
  sum.failed += day.failed;
  sum.requests += day.requests;
  sum.bytes += day.bytes;
  sum.crawl_bytes += day.crawl_bytes;
  sum.added += day.added;
  sum.changed += day.changed;
  sum.removed += day.removed;
}

/// Sums over all sites. The number of pages of a day is that of each site's last pull until then.
class DaySums {
 public:
  explicit DaySums(std::int64_t today) : first_(today - kOverviewDays + 1), days_(kOverviewDays) {}

  void add(const store::PullHistory& history) {
    std::uint64_t pages = 0;
    std::size_t next = 0;
    for (std::int64_t i = 0; i < kOverviewDays; ++i) {
      store::PullDay& sum = days_[static_cast<std::size_t>(i)];
      for (; next < history.days.size() && history.days[next].day <= first_ + i; ++next) {
        pages = history.days[next].pages;
        if (history.days[next].day == first_ + i) add_day(sum, history.days[next]);
      }
      sum.pages += pages;
      if (next > 0) began_ = std::min(began_, i);
    }
  }

  [[nodiscard]] std::vector<OverviewDay> take() const {
    std::vector<OverviewDay> days;
    for (std::int64_t i = began_; i < kOverviewDays; ++i)
      days.push_back({date_of_day(first_ + i), days_[static_cast<std::size_t>(i)]});
    return days;
  }

 private:
  std::int64_t first_;
  std::int64_t began_ = kOverviewDays;
  std::vector<store::PullDay> days_;
};

void count_section(StoreOverview& overview, const store::SectionState& section) {
  ++overview.sections;
  overview.pages += section.pages;
  overview.bytes += section.bytes;
  if (section.proven) ++(*section.proven ? overview.proven : overview.differs);
}

}  // namespace

bool SiteSummary::has_difference() const {
  return std::ranges::any_of(sections,
                             [](const auto& section) { return section.proven && !*section.proven; });
}

std::string_view describe_proof(const std::optional<bool>& proven) {
  return !proven ? "not stated" : *proven ? "proven" : "differs";
}

base::Result<StoreOverview> make_overview(const store::PageStore& store,
                                          const std::vector<std::string>& listed, Instant now) {
  StoreOverview overview;
  overview.now = now;
  std::map<std::string, SiteSummary> sites;
  for (const std::string& site : listed) sites[site];
  SHEAF_TRY_ASSIGN(auto sections, store.sections());
  for (store::SectionState& section : sections) {
    count_section(overview, section);
    const std::string name = section.site;
    add_section(sites[name], std::move(section));
  }
  DaySums days(now.seconds / kDaySeconds);
  for (auto& [name, site] : sites) {
    site.site = name;
    SHEAF_TRY_ASSIGN(const auto history, store::read_history(store, name));
    if (history) days.add(*history);
    SHEAF_TRY_ASSIGN(site.failure, find_failure(store, name, history));
    if (site.failure) ++overview.failing;
    overview.sites.push_back(std::move(site));
  }
  overview.days = days.take();
  SHEAF_TRY_ASSIGN(const store::FeedCursor newest, store.newest_change());
  overview.changes = newest.total();
  SHEAF_TRY_ASSIGN(overview.disk_bytes, store.disk_bytes());
  return overview;
}

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
