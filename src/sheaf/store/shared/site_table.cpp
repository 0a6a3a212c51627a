#include "sheaf/store/shared/site_table.h"

#include "sheaf/store/shared/shared_maintenance.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Result;

constexpr std::size_t kListedAtOnce = 5'000;
constexpr int kListRows = 10'000;
constexpr std::chrono::milliseconds kBetweenLooks{100};

/// Workers look at this number to see that the list has changed.
constexpr const char* kCountListChange =
    "INSERT INTO sheaf.meta (key, value) VALUES ('list', '1') ON CONFLICT (key) DO UPDATE SET value = "
    "(meta.value::bigint + 1)::text";

class SharedShare final : public WorkShare {
 public:
  explicit SharedShare(SharedCore& core) : core_(core) { core.leases().join_fleet(); }

  Result<std::optional<std::vector<std::string>>> poll() override {
    const BucketLeases::Owned owned = core_.leases().owned();
    SHEAF_TRY_ASSIGN(const auto rows,
                     core_.database().query("SELECT value FROM sheaf.meta WHERE key = 'list'"));
    const std::string list(rows.empty() ? std::string_view() : rows.text(0, 0));
    if (seen_ && *seen_ == std::pair(owned.version, list)) return std::nullopt;
    SHEAF_TRY(read_sites(owned, list));
    seen_ = std::pair(owned.version, list);
    std::vector<std::string> all;
    for (const auto& [b, urls] : sites_) all.insert(all.end(), urls.begin(), urls.end());
    return all;
  }

  Result<void> wait_for_part() override {
    // As long as another worker may take to notice us.
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(2 * core_.meta().lease_milliseconds);
    while (core_.leases().owned().buckets.empty() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(kBetweenLooks);
    return {};
  }

  bool enter(std::string_view site) override { return core_.leases().enter(core_.bucket_of(site)); }
  void leave(std::string_view site) override { core_.leases().leave(core_.bucket_of(site)); }
  [[nodiscard]] bool owns(std::string_view site) const override {
    return core_.leases().owns(core_.bucket_of(site));
  }
  void report(const WorkerLoad& load) override { core_.leases().set_load(load); }

 private:
  /// Only buckets that are new, unless the list itself has changed.
  Result<void> read_sites(const BucketLeases::Owned& owned, const std::string& list) {
    if (!seen_ || seen_->second != list) sites_.clear();
    std::erase_if(
        sites_, [&](const auto& bucket) { return !std::ranges::binary_search(owned.buckets, bucket.first); });
    SqlArray numbers;
    for (const int b : owned.buckets)
      if (!sites_.contains(b)) {
        numbers.add(b);
        sites_[b];
      }
    SHEAF_TRY_ASSIGN(
        const auto rows,
        core_.database().query("SELECT b, url FROM sheaf.site WHERE b = ANY($1::int[]) ORDER BY b, origin",
                               {numbers.param()}));
    for (int i = 0; i < rows.size(); ++i)
      sites_[static_cast<int>(rows.number(i, 0))].emplace_back(rows.text(i, 1));
    return {};
  }

  SharedCore& core_;
  std::optional<std::pair<std::uint64_t, std::string>> seen_;
  std::map<int, std::vector<std::string>> sites_;
};

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

Result<std::uint64_t> add_sites(const std::string& store_url, const std::vector<ListedSite>& sites) {
  SHEAF_TRY_ASSIGN(const auto core, SharedCore::open(store_url, Access::write));
  std::uint64_t changed = 0;
  for (std::size_t begin = 0; begin < sites.size(); begin += kListedAtOnce) {
    SqlArray buckets;
    SqlArray origins;
    SqlArray urls;
    for (std::size_t i = begin; i < std::min(begin + kListedAtOnce, sites.size()); ++i) {
      buckets.add(core->bucket_of(sites[i].origin));
      origins.add_text(sites[i].origin);
      urls.add_text(sites[i].url);
    }
    SHEAF_TRY_ASSIGN(
        const auto rows,
        core->database().query(
            "INSERT INTO sheaf.site (b, origin, url) SELECT s.b, s.origin, s.url FROM unnest($1::int[], "
            "$2::text[], $3::text[]) AS s(b, origin, url) ON CONFLICT (b, origin) DO UPDATE SET url = "
            "excluded.url WHERE site.url <> excluded.url",
            {buckets.param(), origins.param(), urls.param()}));
    changed += static_cast<std::uint64_t>(rows.changed());
  }
  if (changed > 0) SHEAF_TRY(core->database().query(kCountListChange));
  return changed;
}

Result<std::uint64_t> remove_sites(const std::string& store_url, const std::vector<std::string>& origins) {
  SHEAF_TRY_ASSIGN(const auto core, SharedCore::open(store_url, Access::write));
  std::uint64_t removed = 0;
  for (const std::string& origin : origins) {
    SHEAF_TRY_ASSIGN(const auto rows,
                     core->database().query("DELETE FROM sheaf.site WHERE b = $1 AND origin = $2",
                                            {core->bucket_of(origin), origin}));
    removed += static_cast<std::uint64_t>(rows.changed());
  }
  if (removed > 0) SHEAF_TRY(core->database().query(kCountListChange));
  return removed;
}

Result<void> list_sites(const std::string& store_url, const std::function<bool(const ListedSite&)>& use) {
  SHEAF_TRY_ASSIGN(const auto core, SharedCore::open(store_url, Access::read));
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
  SHEAF_TRY_ASSIGN(const auto core, SharedCore::open(store_url, Access::read));
  SHEAF_TRY_ASSIGN(const ViewPtr view, core->view());
  return workers_of(*view, core->meta());
}

Result<SharedInfo> read_shared_info(const std::string& store_url) {
  SHEAF_TRY_ASSIGN(const auto core, SharedCore::open(store_url, Access::read));
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

std::unique_ptr<WorkShare> make_work_share(SharedCore& core) { return std::make_unique<SharedShare>(core); }

}  // namespace sheaf::store::shared
