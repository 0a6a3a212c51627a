#include "sheaf/store/shared/site_table.h"

#include "sheaf/store/shared/shared_maintenance.h"
#include "sheaf/store/site_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::store::shared {
namespace {

using base::Result;

constexpr std::size_t kListedAtOnce = 5'000;
constexpr int kListRows = 10'000;

/// Workers compare this number to see that the list has changed.
constexpr const char* kCountListChange =
    "INSERT INTO sheaf.meta (key, value) VALUES ('list', '1') ON CONFLICT (key) DO UPDATE SET value = "
    "(meta.value::bigint + 1)::text";

using ListedSites = std::vector<ListedSite>;

/// Schedules of sites that are not listed, but were pulled before.
Result<std::map<std::string, SiteSchedule, std::less<>>> earlier_schedules(SharedDatabase& database,
                                                                           const SqlParam& buckets,
                                                                           const SqlParam& origins) {
  SHEAF_TRY_ASSIGN(
      const auto rows,
      database.query(
          "SELECT n.origin, n.value FROM unnest($1::int[], $2::text[]) AS s(b, origin) JOIN sheaf.note n ON "
          "n.b = s.b AND n.origin = s.origin AND n.name = $3 WHERE NOT EXISTS (SELECT 1 FROM sheaf.site t "
          "WHERE t.b = s.b AND t.origin = s.origin)",
          {buckets, origins, SqlParam::bytes(kScheduleNote)}));
  std::map<std::string, SiteSchedule, std::less<>> schedules;
  for (int i = 0; i < rows.size(); ++i)
    if (auto schedule = decode_schedule(rows.text(i, 1)))
      schedules.emplace(rows.text(i, 0), std::move(*schedule));
  return schedules;
}

Result<std::uint64_t> add_some(SharedCore& core, const ListedSites& sites) {
  SqlArray buckets;
  SqlArray origins;
  SqlArray urls;
  for (const ListedSite& site : sites) {
    buckets.add(core.bucket_of(site.origin));
    origins.add_text(site.origin);
    urls.add_text(site.url);
  }
  SHEAF_TRY_ASSIGN(const auto earlier, earlier_schedules(core.database(), buckets.param(), origins.param()));
  SqlArray due;
  SqlArray last;
  SqlArray fails;
  const SiteSchedule never_pulled{.next = sheaf::now()};
  for (const ListedSite& site : sites) {
    const auto found = earlier.find(site.origin);
    const SiteSchedule& schedule = found != earlier.end() ? found->second : never_pulled;
    due.add(schedule.next.seconds);
    last.add(schedule.last.seconds);
    fails.add(schedule.failures);
  }
  // Rows that need no change are not touched, because workers would have to wait for their locks.
  SHEAF_TRY_ASSIGN(
      const auto rows,
      core.database().query(
          "INSERT INTO sheaf.site (b, origin, url, due, last, fails) SELECT s.b, s.origin, s.url, s.due, "
          "s.last, s.fails FROM unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], "
          "$6::int[]) AS s(b, origin, url, due, last, fails) LEFT JOIN sheaf.site t ON t.b = s.b AND "
          "t.origin = s.origin WHERE t.url IS NULL OR t.url <> s.url ORDER BY s.b, s.origin ON CONFLICT (b, "
          "origin) DO UPDATE SET url = excluded.url WHERE site.url <> excluded.url",
          {buckets.param(), origins.param(), urls.param(), due.param(), last.param(), fails.param()}));
  return static_cast<std::uint64_t>(rows.changed());
}

Result<std::uint64_t> remove_some(SharedCore& core, const ListedSites& sites) {
  SqlArray buckets;
  SqlArray origins;
  for (const ListedSite& site : sites) {
    buckets.add(core.bucket_of(site.origin));
    origins.add_text(site.origin);
  }
  SHEAF_TRY_ASSIGN(const auto rows,
                   core.database().query("DELETE FROM sheaf.site USING unnest($1::int[], $2::text[]) AS s(b, "
                                         "origin) WHERE site.b = s.b AND site.origin = s.origin",
                                         {buckets.param(), origins.param()}));
  return static_cast<std::uint64_t>(rows.changed());
}

/// Changes the list in steps, so that no transaction locks the rows of a million sites.
Result<std::uint64_t> change_list(
    SharedCore& core, const SiteSource& next,
    const std::function<Result<std::uint64_t>(const ListedSites& sites)>& change) {
  std::uint64_t changed = 0;
  ListedSites some;
  while (true) {
    SHEAF_TRY_ASSIGN(auto site, next());
    const bool at_end = !site;
    if (site) some.push_back(std::move(*site));
    if (!at_end && some.size() < kListedAtOnce) continue;
    if (!some.empty()) {
      SHEAF_TRY_ASSIGN(const std::uint64_t count, change(some));
      changed += count;
      some.clear();
    }
    if (at_end) break;
  }
  if (changed > 0) SHEAF_TRY(core.database().query(kCountListChange));
  return changed;
}

WorkerInfo worker_of(const PgRows& rows, int row) {
  WorkerInfo worker;
  worker.id = rows.text(row, 0);
  worker.host = rows.text(row, 1);
  worker.version = rows.text(row, 2);
  worker.seen_seconds_ago = rows.number(row, 3);
  worker.live = rows.number(row, 4) != 0;
  worker.fleet = rows.number(row, 5) != 0;
  worker.buckets = rows.number(row, 6);
  worker.load = {rows.number(row, 7), rows.number(row, 8), rows.number(row, 9), rows.number(row, 10),
                 rows.number(row, 11)};
  return worker;
}

Result<std::vector<WorkerInfo>> workers_of(SharedView& view, const SharedMeta& meta) {
  SHEAF_TRY_ASSIGN(
      const auto rows,
      view.query(
          "SELECT id, host, version, extract(epoch FROM now() - seen)::bigint, seen > now() - "
          "$1::interval, fleet, buckets, sites, due, late, failing, running FROM sheaf.worker ORDER BY "
          "host, id",
          {std::to_string(meta.lease_milliseconds) + " milliseconds"}));
  std::vector<WorkerInfo> workers;
  for (int i = 0; i < rows.size(); ++i) workers.push_back(worker_of(rows, i));
  return workers;
}

}  // namespace

Result<std::uint64_t> add_sites(const std::string& store_url, const SiteSource& next) {
  SHEAF_TRY_ASSIGN(const auto core, SharedCore::open(store_url, StoreAccess::write));
  const auto add = [&](const ListedSites& sites) { return add_some(*core, sites); };
  return change_list(*core, next, add);
}

Result<std::uint64_t> remove_sites(const std::string& store_url, const SiteSource& next) {
  SHEAF_TRY_ASSIGN(const auto core, SharedCore::open(store_url, StoreAccess::write));
  const auto remove = [&](const ListedSites& sites) { return remove_some(*core, sites); };
  return change_list(*core, next, remove);
}

Result<void> list_sites(const std::string& store_url, const std::function<bool(const ListedSite&)>& use) {
  SHEAF_TRY_ASSIGN(const auto core, SharedCore::open(store_url, StoreAccess::read));
  SHEAF_TRY_ASSIGN(const ViewPtr view, core->view());
  std::int64_t b = -1;
  std::string origin;
  while (true) {
    SHEAF_TRY_ASSIGN(const auto rows,
                     view->query("SELECT b, origin, url FROM sheaf.site WHERE (b, origin) > ($1::int, $2) "
                                 "ORDER BY b, origin LIMIT " +
                                     std::to_string(kListRows),
                                 {b, origin}));
    for (int i = 0; i < rows.size(); ++i) {
      b = rows.number(i, 0);
      origin = rows.text(i, 1);
      if (!use({origin, std::string(rows.text(i, 2))})) return {};
    }
    if (rows.size() < kListRows) return {};
  }
}

Result<std::vector<WorkerInfo>> read_workers(const std::string& store_url) {
  SHEAF_TRY_ASSIGN(const auto core, SharedCore::open(store_url, StoreAccess::read));
  SHEAF_TRY_ASSIGN(const ViewPtr view, core->view());
  return workers_of(*view, core->meta());
}

Result<SharedInfo> read_shared_info(const std::string& store_url) {
  SHEAF_TRY_ASSIGN(const auto core, SharedCore::open(store_url, StoreAccess::read));
  SHEAF_TRY_ASSIGN(const ViewPtr view, core->view());
  SharedInfo info;
  info.meta = core->meta();
  SHEAF_TRY_ASSIGN(
      const auto totals,
      view->query(
          "SELECT (SELECT count(*) FROM sheaf.site), count(*), coalesce(sum(pages), 0)::bigint, "
          "coalesce(sum(bytes), 0)::bigint, (SELECT coalesce(sum(octet_length(bytes)), 0)::bigint FROM "
          "sheaf.pack), (SELECT coalesce(sum(seq + 1 - first), 0)::bigint FROM sheaf.bucket), (SELECT "
          "count(*) FROM sheaf.bucket WHERE owner IS NOT NULL AND until > now()) FROM sheaf.section"));
  info.sites = static_cast<std::uint64_t>(totals.number(0, 0));
  info.sections = static_cast<std::uint64_t>(totals.number(0, 1));
  info.pages = static_cast<std::uint64_t>(totals.number(0, 2));
  info.page_bytes = static_cast<std::uint64_t>(totals.number(0, 3));
  info.pack_bytes = static_cast<std::uint64_t>(totals.number(0, 4));
  info.changes = static_cast<std::uint64_t>(totals.number(0, 5));
  info.held_buckets = static_cast<std::uint64_t>(totals.number(0, 6));
  SHEAF_TRY_ASSIGN(info.disk_bytes, shared_disk_bytes(*core));
  SHEAF_TRY_ASSIGN(info.workers, workers_of(*view, core->meta()));
  return info;
}

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};

SqlParam array_of(std::span<const int> numbers) {
  SqlArray array;
  for (const int number : numbers) array.add(number);
  return array.param();
}

class BucketShare final : public WorkShare {
 public:
  explicit BucketShare(SharedCore& core) : core_(core) { core.leases().join_fleet(); }

  Result<Parts> parts() override {
    SHEAF_TRY_ASSIGN(const auto rows,
                     core_.database().query("SELECT value FROM sheaf.meta WHERE key = 'list'"));
    Parts parts;
    for (const auto& [b, epoch] : core_.leases().owned()) parts.owned.push_back({b, epoch});
    if (!rows.empty()) parts.list = rows.text(0, 0);
    return parts;
  }

  Result<void> wait_for_part() override {
    // Other workers may need this long to notice us and release buckets.
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(2 * core_.meta().lease_milliseconds);
    while (!core_.leases().has_share() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(kBetweenLooks);
    return {};
  }

  [[nodiscard]] int part_of(std::string_view site) const override { return core_.bucket_of(site); }

  /// The query has a subquery for each bucket, which reads only the first entries of the bucket's range of
  /// the index. One condition on all buckets would sort all of their sites.
  Result<std::vector<ScheduledSite>> first_due(std::span<const int> parts, std::size_t limit,
                                               std::int64_t until) override {
    SHEAF_TRY_ASSIGN(
        const auto rows,
        core_.database().query(
            fmt::format("SELECT k.b, s.url, s.due, s.fails FROM unnest($1::int[]) AS k(b) CROSS JOIN LATERAL "
                        "(SELECT url, due, fails FROM sheaf.site WHERE site.b = k.b AND site.due <= "
                        "$2::bigint ORDER BY site.due LIMIT {}) AS s ORDER BY k.b, s.due",
                        limit),
            {array_of(parts), until}));
    std::vector<ScheduledSite> sites;
    sites.reserve(static_cast<std::size_t>(rows.size()));
    for (int i = 0; i < rows.size(); ++i)
      sites.push_back({static_cast<int>(rows.number(i, 0)), std::string(rows.text(i, 1)), rows.number(i, 2),
                       static_cast<std::uint32_t>(rows.number(i, 3))});
    return sites;
  }

  Result<void> bring_forward(std::span<const int> parts, const Latest& latest) override {
    SHEAF_TRY(core_.database().query(
        "UPDATE sheaf.site SET due = $2::bigint WHERE b = ANY($1::int[]) AND due > $2::bigint",
        {array_of(parts), latest.due}));
    if (!latest.after_last) return {};
    SHEAF_TRY(
        core_.database().query("UPDATE sheaf.site SET due = last + $2::bigint WHERE b = ANY($1::int[]) AND "
                               "fails = 0 AND last > 0 AND due > last + $2::bigint",
                               {array_of(parts), *latest.after_last}));
    return {};
  }

  /// Not retried, unlike other queries: if the database cannot be reached, the caller continues without the
  /// counts.
  Result<Totals> count(const CountTimes& times) override {
    SHEAF_TRY_ASSIGN(const auto lease, core_.database().take());
    SqlArray owned;
    for (const auto& [b, epoch] : core_.leases().owned()) owned.add(b);
    SHEAF_TRY_ASSIGN(
        const auto rows,
        lease->query(
            "SELECT count(*), count(*) FILTER (WHERE due <= $2::bigint), count(*) FILTER (WHERE due "
            "<= $3::bigint), count(*) FILTER (WHERE fails > 0), count(*) FILTER (WHERE last >= "
            "$4::bigint AND fails = 0 AND due > last), count(*) FILTER (WHERE last >= $4::bigint AND "
            "fails > 0), count(*) FILTER (WHERE due <= $2::bigint AND (last < $4::bigint OR (fails = "
            "0 AND due <= last))), count(*) FILTER (WHERE due > $2::bigint AND last < $4::bigint AND "
            "fails > 0) FROM sheaf.site WHERE b = ANY($1::int[])",
            {owned.param(), times.now, times.late, times.started}));
    return Totals{rows.number(0, 0), rows.number(0, 1), rows.number(0, 2), rows.number(0, 3),
                  rows.number(0, 4), rows.number(0, 5), rows.number(0, 6), rows.number(0, 7)};
  }

  bool enter(std::string_view site) override {
    if (!core_.leases().enter(core_.bucket_of(site))) return false;
    core_.note_read_ahead().enter(site);
    return true;
  }
  void leave(std::string_view site) override {
    core_.note_read_ahead().leave(site);
    core_.leases().leave(core_.bucket_of(site));
  }
  [[nodiscard]] bool owns(std::string_view site) const override {
    return core_.leases().owns(core_.bucket_of(site));
  }
  void report(const WorkerLoad& load) override { core_.leases().set_load(load); }

 private:
  SharedCore& core_;
};

}  // namespace

std::unique_ptr<WorkShare> make_bucket_share(SharedCore& core) { return std::make_unique<BucketShare>(core); }

}  // namespace sheaf::store::shared
